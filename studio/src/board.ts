// The board: the server's picture, and over it what can be clicked, what is hot and what is known.

import { fill, h, picture, s } from "./dom";
import type { Board, Cell, Move, Picture } from "./types";

export interface HexFacts {
  mustplay?: string[] | null;
  filled?: Record<string, string[]>;
  inferior?: Record<string, string>;
  connections?: { player: string; ends: [string, string]; carrier: string[] }[];
}

export class BoardView {
  readonly element = h("div", { class: "board" });
  onMove: (move: string) => void = () => {};
  private board: Board | null = null;
  private picked: string[] = [];
  private hint = "";
  private heat: Record<string, number> = {};
  private facts: HexFacts | null = null;
  private free = true;
  /** Whether another position is shown. */
  private peeked = false;
  private choose = h("div", { class: "choose" });

  show(board: Board, free: boolean): void {
    const other = this.board?.notation !== board.notation;
    this.board = board;
    this.free = free;
    if (other) {
      this.picked = [];
      this.hint = "";
      this.heat = {};
      this.facts = null;
    }
    this.draw();
  }

  mark(move: string): void { this.hint = move; this.draw(); }
  /** Redrawn only if something changes: a search says so with every picture. */
  setHeat(heat: Record<string, number>): void {
    const cool = Object.keys(heat).length === 0 && Object.keys(this.heat).length === 0;
    this.heat = heat;
    if (!cool && !this.peeked) this.draw();
  }

  setFacts(facts: HexFacts | null): void {
    if (facts === this.facts) return;
    this.facts = facts;
    if (!this.peeked) this.draw();
  }

  /** Another position, to look at only. */
  peek(shown: Picture, title: string): void {
    this.peeked = true;
    fill(this.element, h("button", { class: "peek", title: "Escape", click: () => this.draw() }, title), body(shown));
  }

  draw(): void {
    const board = this.board;
    if (!board) return;
    this.peeked = false;
    const focused = document.activeElement?.getAttribute("data-cell");
    const shown = body(board);
    fill(this.element, shown, this.choose);
    fill(this.choose);
    const cells = Object.keys(board.cells).length > 0;
    if (shown instanceof SVGElement && cells) shown.append(this.overlay(board));
    if (board.outcome === null && this.free) this.offer(board, cells);
    if (focused) {
      const again = [...this.element.querySelectorAll<SVGElement>("[data-cell]")].find((each) => each.dataset.cell === focused);
      again?.focus({ preventScroll: true });
    }
  }

  /** Moves that still fit what was clicked. */
  private fitting(board: Board): Move[] {
    return board.moves.filter((move) => this.picked.every((cell, n) => move.cells[n] === cell));
  }

  private overlay(board: Board): SVGElement {
    const layer = s("g", { class: "overlay" });
    this.knowledge(layer, board);
    const fitting = this.fitting(board);
    const at = this.picked.length;
    const next = new Set(fitting.map((move) => move.cells[at]).filter((cell) => cell !== undefined));
    this.hot(layer, board);
    if (this.hint) this.arrow(layer, board, this.hint);
    const names = Object.keys(board.cells);
    const first = names.find((cell) => next.has(cell));
    for (const [name, cell] of Object.entries(board.cells)) {
      const legal = this.free && board.outcome === null && (next.has(name) || this.picked.includes(name));
      const shape = cell.tall
        ? s("rect", { x: cell.x - cell.r, y: 0, width: 2 * cell.r, height: cell.tall })
        : s("circle", { cx: cell.x, cy: cell.y, r: cell.r });
      const picked = this.picked[this.picked.length - 1] === name;
      const spot = s("g", {
        class: `cell${legal ? " legal" : ""}${picked ? " picked" : ""}`, "data-cell": name,
        role: legal ? "button" : null, tabindex: legal ? (name === first ? 0 : -1) : null,
        "aria-label": legal ? `${name}${picked ? ", picked" : ""}` : null,
        click: legal ? () => this.click(name) : null,
        keydown: legal ? (event: KeyboardEvent) => this.key(event, name) : null,
      }, shape,
        legal && (at > 0 || board.moves.some((move) => move.cells.length > 1)) && !picked && at > 0
          ? s("circle", { cx: cell.x, cy: cell.y, r: cell.r * 0.28, class: "dot" }) : null);
      layer.append(spot);
    }
    return layer;
  }

  private click(cell: string): void {
    const board = this.board;
    if (!board) return;
    const last = this.picked[this.picked.length - 1];
    if (last === cell) {
      this.picked = this.picked.slice(0, -1);
      this.draw();
      return;
    }
    this.picked = [...this.picked, cell];
    let fitting = this.fitting(board);
    if (!fitting.length) {
      this.picked = [cell];
      fitting = this.fitting(board);
      if (!fitting.length) this.picked = [];
    }
    const done = fitting.filter((move) => move.cells.length === this.picked.length);
    if (done.length === 1 && fitting.length === 1) this.play(done[0]!.move);
    else {
      this.draw();
      if (done.length > 1) // a pawn that is promoted
        fill(this.choose, h("p", {}, "Which one?"), ...done.map((move) => h("button", { click: () => this.play(move.move) }, move.name)));
    }
  }

  private play(move: string): void {
    this.picked = [];
    this.onMove(move);
  }

  private key(event: KeyboardEvent, name: string): void {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.click(name);
      return;
    }
    if (this.board) neighbour(event, this.element, this.board.cells, name);
  }

  /** What is not on the board: passes and swaps, and all moves of games without one. */
  private offer(board: Board, cells: boolean): void {
    const others = cells ? board.moves.filter((move) => !move.cells.length) : board.moves;
    if (!others.length) return;
    fill(this.choose, ...others.slice(0, 200).map((move) =>
      h("button", { class: "offer", click: () => this.play(move.move), "data-move": move.move }, move.name)),
      others.length > 200 ? h("p", { class: "dim" }, `and ${others.length - 200} more: type a move`) : null);
  }

  private hot(layer: SVGElement, board: Board): void {
    // a cell is as hot as the best move that goes there; what was picked counts
    const hottest = new Map<string, [number, string]>();
    for (const move of this.fitting(board)) {
      const heat = this.heat[move.move] ?? 0;
      const name = move.cells[this.picked.length || Math.min(1, move.cells.length - 1)];
      if (name !== undefined && heat >= 0.02 && heat > (hottest.get(name)?.[0] ?? 0)) hottest.set(name, [heat, move.name]);
    }
    for (const [name, [heat, said]] of hottest) {
      const cell = board.cells[name];
      if (!cell) continue;
      layer.append(s("circle", { cx: cell.x, cy: cell.y, r: cell.r * (0.25 + 0.5 * Math.sqrt(heat)), class: "heat",
        "fill-opacity": (0.15 + 0.6 * heat).toFixed(2) }, s("title", {}, `${said}: ${heat.toFixed(2)} of the best`)));
    }
  }

  private arrow(layer: SVGElement, board: Board, text: string): void {
    const move = board.moves.find((each) => each.move === text);
    const spots = (move?.cells ?? []).map((cell) => board.cells[cell]).filter((cell): cell is Cell => !!cell);
    const first = spots[0];
    if (!first) return;
    layer.append(s("circle", { cx: first.x, cy: first.y, r: first.r * 0.7, class: "hint" }));
    for (let n = 1; n < spots.length; n++) {
      const from = spots[n - 1]!, to = spots[n]!;
      layer.append(s("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y, class: n > 1 ? "hint shot" : "hint" }),
        s("circle", { cx: to.x, cy: to.y, r: 6, class: "hint full" }));
    }
  }

  private knowledge(layer: SVGElement, board: Board): void {
    const facts = this.facts;
    if (!facts) return;
    const spots = Object.values(board.cells);
    const edge = (name: string): Cell | null => board.cells[name] ?? sideOf(name, spots);
    for (const claim of facts.connections ?? []) {
      const [one, other] = claim.ends.map(edge);
      if (!one || !other) continue;
      const [a, b] = nearest(claim.ends, one, other, spots);
      layer.append(s("line", { x1: a.x, y1: a.y, x2: b.x, y2: b.y, class: `link ${claim.player}` },
        s("title", {}, `${claim.ends.join(" – ")}, over ${claim.carrier.join(" ")}`)));
      for (const name of claim.carrier) {
        const cell = board.cells[name];
        if (cell) layer.append(s("circle", { cx: cell.x, cy: cell.y, r: 3, class: `carrier ${claim.player}` }));
      }
    }
    for (const name of facts.mustplay ?? []) {
      const cell = board.cells[name];
      if (cell) layer.append(s("circle", { cx: cell.x, cy: cell.y, r: cell.r * 0.82, class: "mustplay" }, s("title", {}, `${name}: must play`)));
    }
    for (const [name, why] of Object.entries(facts.inferior ?? {})) {
      const cell = board.cells[name];
      if (cell) layer.append(s("text", { x: cell.x, y: cell.y + 4, class: "inferior" }, "×", s("title", {}, `${name}: ${why}`)));
    }
  }
}

/** An arrow key goes to the nearest cell that way. */
export function neighbour(event: KeyboardEvent, within: Element, cells: Record<string, Cell>, name: string): void {
  const step = ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] } as Record<string, [number, number]>)[event.key];
  const here = cells[name];
  if (!step || !here) return;
  event.preventDefault();
  let best: SVGElement | null = null, least = Infinity;
  for (const each of within.querySelectorAll<SVGElement>(".cell.legal")) {
    const there = cells[each.dataset.cell ?? ""];
    if (!there || there === here) continue;
    const x = there.x - here.x, y = there.y - here.y;
    const along = x * step[0] + y * step[1], across = Math.abs(x * step[1]) + Math.abs(y * step[0]);
    if (along <= here.r * 0.4) continue;
    const far = along + 2.5 * across;
    if (far < least) { least = far; best = each; }
  }
  best?.focus();
}

function body(shown: Picture): Element {
  const drawn = shown.svg === null ? null : picture(shown.svg);
  if (!drawn) return h("pre", { class: "text" }, shown.text);
  drawn.removeAttribute("width");
  drawn.removeAttribute("height");
  return drawn;
}

function sideOf(name: string, spots: Cell[]): Cell | null {
  const by = { top: (c: Cell) => -c.y, bottom: (c: Cell) => c.y, left: (c: Cell) => -c.x, right: (c: Cell) => c.x }[name];
  if (!by) return null;
  return spots.reduce((a, b) => (by(b) > by(a) ? b : a));
}

/** A line to an edge goes straight there, and not to its corner. */
function nearest(ends: string[], one: Cell, other: Cell, spots: Cell[]): [Cell, Cell] {
  const straight = (edge: string, from: Cell): Cell => {
    const r = from.r;
    const ys = spots.map((c) => c.y), top = Math.min(...ys), bottom = Math.max(...ys);
    if (edge === "top") return { ...from, x: from.x - (from.y - top) * 0.0, y: top - r };
    if (edge === "bottom") return { ...from, y: bottom + r };
    const row = spots.filter((c) => Math.abs(c.y - from.y) < 1).map((c) => c.x);
    return { ...from, x: edge === "left" ? Math.min(...row) - r : Math.max(...row) + r };
  };
  const isEdge = (name: string) => ["top", "bottom", "left", "right"].includes(name);
  if (isEdge(ends[0]!)) return [straight(ends[0]!, other), other];
  if (isEdge(ends[1]!)) return [one, straight(ends[1]!, one)];
  return [one, other];
}
