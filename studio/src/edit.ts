// A position set up by hand: choose a piece, click the cells it stands on, say who is to move.

import { fill, h, picture, s } from "./dom";
import { neighbour } from "./board";
import type { Link } from "./link";
import type { Cell, State } from "./types";

interface Spot extends Cell { column: number; row: number; name: string; piece: string }
interface Edited {
  svg: string;
  rows: string[][];
  to_move: "max" | "min";
  castling: string | null;
  sides: Record<"max" | "min", string>;
  pieces: Record<string, { name: string; svg: string }>;
  cells: Spot[];
  notation: string | null;
  problem: string;
}

const NOTHING = ".";

export class Editor {
  readonly element = h("div", { class: "editor", hidden: true, role: "group", "aria-label": "Set up a position" });
  onEnd: () => void = () => {};
  private now: Edited | null = null;
  private piece = "";
  private board = h("div", { class: "setting" });
  private palette = h("div", { class: "palette", role: "radiogroup", "aria-label": "Piece to put" });
  private mover = h("select", { "aria-label": "Who is to move", change: () => void this.ask({ to_move: this.mover.value }) });
  private castling = h("input", { class: "narrow", "aria-label": "Rights to castle", spellcheck: "false",
    change: () => void this.ask({ castling: this.castling.value || "-" }) });
  private castles = h("label", { class: "row" }, "castling", this.castling);
  private problem = h("p", { class: "problem", role: "status" });
  private use = h("button", { class: "primary", click: () => void this.done() }, "Use this position");

  constructor(private link: Link, private state: () => State, private fail: (error: unknown) => void) {
    this.element.append(this.palette, this.board, this.problem,
      h("div", { class: "buttons" }, h("label", { class: "row" }, this.mover, "to move"), this.castles),
      h("div", { class: "buttons" }, this.use,
        h("button", { click: () => void this.ask({ board: "empty" }) }, "Empty"),
        h("button", { click: () => void this.ask({ board: "start" }) }, "Start"),
        h("button", { click: () => this.end() }, "Cancel")));
    this.element.addEventListener("keydown", (event) => { if (event.key === "Escape") { event.stopPropagation(); this.end(); } });
  }

  get isOpen(): boolean { return !this.element.hidden; }

  async begin(): Promise<void> {
    this.now = null;
    this.piece = "";
    if (await this.ask({})) this.element.hidden = false;
  }

  end(): void {
    this.element.hidden = true;
    this.onEnd();
  }

  private async done(): Promise<void> {
    const { game, options } = this.state();
    try {
      await this.link.ask("new", { game, options, position: this.now?.notation });
      this.end();
    } catch (error) {
      this.fail(error);
    }
  }

  private async ask(change: Record<string, unknown>): Promise<boolean> {
    const kept = this.now ? { rows: this.now.rows, to_move: this.now.to_move, castling: this.now.castling } : {};
    try {
      this.show((await this.link.ask("edit", { ...kept, ...change })) as Edited);
      return true;
    } catch (error) {
      this.fail(error);
      return false;
    }
  }

  private show(now: Edited): void {
    this.now = now;
    const signs = Object.keys(now.pieces);
    if (!this.piece || !(signs.includes(this.piece) || this.piece === NOTHING)) this.piece = signs[0]!;
    this.choices(now);
    const focused = document.activeElement?.getAttribute("data-spot");
    const drawn = picture(now.svg);
    if (!drawn) return;
    drawn.removeAttribute("width");
    drawn.removeAttribute("height");
    const layer = s("g", { class: "overlay" });
    const places = Object.fromEntries(now.cells.map((each) => [each.name, each]));
    now.cells.forEach((spot, n) => {
      const what = now.pieces[spot.piece]?.name ?? "empty";
      layer.append(s("g", { class: "cell legal", role: "button", tabindex: n ? -1 : 0, "data-spot": spot.name, "data-cell": spot.name,
        "aria-label": `${spot.name}, ${what}`, click: () => this.put(spot),
        keydown: (event: KeyboardEvent) => {
          if (event.key === "Enter" || event.key === " ") { event.preventDefault(); this.put(spot); }
          else neighbour(event, layer, places, spot.name);
        } }, s("circle", { cx: spot.x, cy: spot.y, r: spot.r })));
    });
    drawn.append(layer);
    fill(this.board, drawn);
    if (focused) layer.querySelector<SVGElement>(`[data-spot="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    fill(this.mover, ...(["max", "min"] as const).map((side) => h("option", { value: side }, now.sides[side])));
    this.mover.value = now.to_move;
    this.castles.hidden = now.castling === null;
    if (document.activeElement !== this.castling) this.castling.value = now.castling ?? "";
    this.problem.textContent = now.problem;
    this.problem.hidden = !now.problem;
    this.use.disabled = now.notation === null;
  }

  private put(spot: Spot): void {
    void this.ask({ put: { column: spot.column, row: spot.row, piece: this.piece } });
  }

  private choices(now: Edited): void {
    const choose = (sign: string) => { this.piece = sign; this.choices(now); this.palette.querySelector<HTMLElement>("[aria-checked=true]")?.focus(); };
    const all: [string, string, Element | string][] = Object.entries(now.pieces).map(([sign, each]) => [sign, each.name, picture(each.svg) ?? sign]);
    all.push([NOTHING, "take away", "⌫"]);
    fill(this.palette, ...all.map(([sign, name, shown], n) => h("button", {
      type: "button", role: "radio", "aria-checked": String(sign === this.piece), "aria-label": name, title: name,
      tabindex: sign === this.piece ? 0 : -1, click: () => choose(sign),
      keydown: (event: KeyboardEvent) => {
        const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        if (!by) return;
        event.preventDefault();
        choose(all[(n + by + all.length) % all.length]![0]);
      },
    }, shown)));
  }
}
