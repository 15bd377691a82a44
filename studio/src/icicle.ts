// The whole tree at once: a block for each wide node, below its parent. Zoom and pan are the browser's; finer blocks
// come from the server as soon as it has them.

import { select } from "d3-selection";
import { zoom, zoomIdentity, type D3ZoomEvent, type ZoomBehavior, type ZoomTransform } from "d3-zoom";
import { ink, isDark, Scale } from "./colours";
import { count, h, number } from "./dom";
import { LEAF, MERGED, pathOf, SOLVED, TERMINAL, type Blocks, type Frame } from "./types";

const ROW = 24;

export interface Asks {
  view(left: number, right: number): void;
  select(path: number[]): void;
}

/** What the colours mean. */
export function legend(max: string, min: string): string {
  return `Blue is good for ${max}, red for ${min}. Pale blocks rest on few nodes; a line below a block: its value is certain.`;
}

export class Icicle {
  readonly element: HTMLElement;
  readonly scale = new Scale();
  drawn = 0;
  onDraw: (frame: Frame) => void = () => {};
  private canvas = h("canvas", { tabindex: 0, role: "img", "aria-label": "The whole tree: no search yet" });
  private said = h("p", { class: "said" }, legend("Max", "Min"));
  private frame: Frame | null = null;
  private whole: Frame | null = null;
  private transform: ZoomTransform = zoomIdentity;
  private behaviour: ZoomBehavior<HTMLCanvasElement, unknown>;
  private waiting = 0;
  private asked = 0;
  private hover = -1;
  private meaning = legend("Max", "Min");
  private selected = "";
  private marked = new Map<string, string>();
  private wide = 600;
  private tall = 300;
  private rows = 0;

  constructor(private asks: Asks, private least = 150, private most = 430) {
    this.element = h("div", { class: "icicle" }, this.canvas, this.said);
    this.behaviour = zoom<HTMLCanvasElement, unknown>()
      .scaleExtent([1, 1e6])
      .on("zoom", (event: D3ZoomEvent<HTMLCanvasElement, unknown>) => {
        this.transform = event.transform;
        this.redraw();
        this.ask();
      });
    const chosen = select(this.canvas);
    chosen.call(this.behaviour).on("dblclick.zoom", null);
    new ResizeObserver(() => this.resize()).observe(this.element);
    this.canvas.addEventListener("mousemove", (event) => this.point(event.offsetX, event.offsetY));
    this.canvas.addEventListener("mouseleave", () => this.point(-1, -1));
    this.canvas.addEventListener("click", (event) => this.click(event.offsetX, event.offsetY));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.canvas.addEventListener("focus", () => this.redraw());
    this.canvas.addEventListener("blur", () => this.redraw());
  }

  show(frame: Frame): void {
    this.scale.see(frame.head, frame.blocks);
    this.frame = frame;
    if ((frame.head.left ?? 0) <= 0 && (frame.head.right ?? 1) >= 1) this.whole = frame;
    this.selected = (frame.head.node?.path ?? []).join(".");
    this.hover = -1;
    this.grow();
    this.redraw();
  }

  /** As high as the tree is deep, within reason; it only grows, so that the page does not jump. */
  private grow(): void {
    const wanted = Math.min(this.most, Math.max(this.least, (this.deepest() + 1) * ROW));
    if (wanted <= this.rows) return;
    this.rows = wanted;
    this.canvas.style.height = `${wanted}px`;
    this.resize();
  }

  clear(): void {
    this.frame = this.whole = null;
    this.rows = 0;
    this.scale.half = 0;
    this.marked.clear();
    this.reset();
    this.said.textContent = this.meaning;
    this.redraw();
  }

  mark(paths: number[][], colour = "#e0a100"): void {
    this.marked.clear();
    for (const path of paths) for (let n = 0; n <= path.length; n++) this.marked.set(path.slice(0, n).join("."), colour);
    this.redraw();
  }

  /** What the colours mean, while nothing is pointed at. */
  legend(text: string): void {
    if (this.hover < 0) this.said.textContent = text;
    this.meaning = text;
  }

  get isMarked(): boolean { return this.marked.size > 0; }

  reset(): void {
    select(this.canvas).call(this.behaviour.transform, zoomIdentity);
  }

  /** The part of the width that is seen. */
  private window(): [number, number] {
    const { k, x } = this.transform;
    return [Math.max(0, -x / (k * this.wide)), Math.min(1, (this.wide - x) / (k * this.wide))];
  }

  private ask(): void {
    clearTimeout(this.asked);
    this.asked = window.setTimeout(() => {
      const [left, right] = this.window();
      const margin = (right - left) / 2;
      this.asks.view(Math.max(0, left - margin), Math.min(1, right + margin));
    }, 60);
  }

  private resize(): void {
    const wide = this.element.clientWidth;
    if (!wide) return;
    const ratio = devicePixelRatio || 1;
    this.wide = wide;
    this.tall = Math.max(100, this.canvas.clientHeight);
    this.canvas.width = Math.round(wide * ratio);
    this.canvas.height = Math.round(this.tall * ratio);
    this.behaviour.extent([[0, 0], [wide, this.tall]]).translateExtent([[0, -1e5], [wide, 1e5]]);
    this.redraw();
  }

  redraw(): void {
    if (!this.waiting) this.waiting = requestAnimationFrame(() => this.draw());
  }

  private top(): number {
    // rows do not zoom: only the part of the movement that is not zooming counts
    const rows = this.deepest() * ROW;
    return Math.min(0, Math.max(this.tall - rows - ROW, this.transform.k === 1 ? this.transform.y : this.transform.y / Math.sqrt(this.transform.k)));
  }

  private deepest(): number {
    const blocks = this.frame?.blocks;
    let most = 0;
    if (blocks) for (let n = 0; n < blocks.count; n++) most = Math.max(most, blocks.mark[n]! >> 8);
    return most + 1;
  }

  private draw(): void {
    this.waiting = 0;
    const context = this.canvas.getContext("2d");
    if (!context) return;
    const ratio = devicePixelRatio || 1;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.wide, this.tall);
    const frame = this.frame;
    if (!frame?.blocks) return;
    const [left, right] = this.window();
    const covers = (frame.head.left ?? 0) <= left + 1e-9 && (frame.head.right ?? 1) >= right - 1e-9;
    if (!covers && this.whole && this.whole !== frame) this.paint(context, this.whole);
    this.paint(context, frame);
    this.drawn += 1;
    this.onDraw(frame);
  }

  private span(frame: Frame, block: number): [number, number] {
    const from = frame.head.left ?? 0, part = (frame.head.right ?? 1) - from;
    const { k, x } = this.transform;
    const blocks = frame.blocks!;
    return [(from + blocks.left[block]! * part) * this.wide * k + x, blocks.width[block]! * part * this.wide * k];
  }

  private paint(context: CanvasRenderingContext2D, frame: Frame): void {
    const blocks = frame.blocks as Blocks;
    const labels = frame.head.labels ?? {};
    const top = this.top(), dark = isDark();
    const paths = this.marked.size || this.selected ? this.pathsOf(blocks) : null;
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    context.textAlign = "center";
    for (let n = 0; n < blocks.count; n++) {
      const [x, wide] = this.span(frame, n);
      const mark = blocks.mark[n]!;
      const y = top + (mark >> 8) * ROW;
      if (x > this.wide || x + wide < 0 || y > this.tall || y + ROW < 0 || wide < 0.15) continue;
      const x0 = Math.max(-2, x), x1 = Math.min(this.wide + 2, x + wide);
      context.fillStyle = this.scale.css(blocks.value[n]!, certainty(mark, blocks.size[n]!));
      const gap = x1 - x0 > 3 ? 1 : 0;
      context.fillRect(x0, y, Math.max(0.4, x1 - x0 - gap), ROW - 1);
      if (mark & MERGED && x1 - x0 > 3) {
        context.fillStyle = dark ? "rgba(255,255,255,.22)" : "rgba(0,0,0,.16)";
        for (let at = x0 + 2; at < x1 - 1; at += 4) context.fillRect(at, y + ROW - 5, 1.5, 1.5);
      }
      if (mark & SOLVED && x1 - x0 > 4) {
        context.fillStyle = ink(dark);
        context.fillRect(x0, y + ROW - 3, x1 - x0 - gap, 1.5);
      }
      const path = paths?.[n];
      if (path !== undefined && !(mark & MERGED)) {
        const colour = this.marked.get(path);
        if (colour && path !== "") outline(context, x0, y, x1 - x0 - gap, colour, 2);
        if (path === this.selected) outline(context, x0, y, x1 - x0 - gap, ink(dark), 2.5);
      }
      if (n === this.hover && frame === this.frame) outline(context, x0, y, x1 - x0 - gap, ink(dark), 1.5);
      const words = mark & MERGED ? `${blocks.merged[n]} more` : (labels[n] ?? (n === 0 ? "root" : ""));
      if (words && x1 - x0 > 7 * words.length + 6) {
        context.fillStyle = ink(dark);
        const value = `${words}  ${number(blocks.value[n])}`;
        const fits = !(mark & MERGED) && x1 - x0 > 7 * value.length + 10;
        context.fillText(fits ? value : words, (x0 + x1) / 2, y + ROW / 2);
      }
    }
  }

  private pathsOf(blocks: Blocks): string[] {
    const paths: string[] = [""];
    for (let n = 1; n < blocks.count; n++) {
      const above = paths[blocks.parent[n]!]!;
      paths.push(above === "" ? String(blocks.place[n]) : `${above}.${blocks.place[n]}`);
    }
    return paths;
  }

  private at(x: number, y: number): number {
    const frame = this.frame;
    if (!frame?.blocks || x < 0) return -1;
    const depth = Math.floor((y - this.top()) / ROW);
    for (let n = 0; n < frame.blocks.count; n++) {
      if (frame.blocks.mark[n]! >> 8 !== depth) continue;
      const [left, wide] = this.span(frame, n);
      if (x >= left && x <= left + wide) return n;
    }
    return -1;
  }

  private point(x: number, y: number): void {
    const block = this.at(x, y);
    if (block === this.hover) return;
    this.hover = block;
    this.canvas.style.cursor = block >= 0 ? "pointer" : "grab";
    this.say(block);
    this.redraw();
  }

  private say(block: number): void {
    const frame = this.frame, blocks = frame?.blocks;
    if (!frame || !blocks || block < 0) {
      this.said.textContent = this.meaning;
      return;
    }
    const mark = blocks.mark[block]!;
    const name = mark & MERGED ? `${blocks.merged[block]} moves` : block === 0 ? "root" : (frame.head.labels?.[block] ?? "a move");
    const what = mark & TERMINAL ? ", the game is over" : mark & SOLVED ? ", certain" : mark & LEAF ? ", a leaf" : "";
    this.said.textContent =
      `${name}: value ${number(blocks.value[block])}, ${count(blocks.size[block]!)} nodes, ply ${mark >> 8}${what}`;
  }

  private click(x: number, y: number): void {
    const block = this.at(x, y), blocks = this.frame?.blocks;
    if (block < 0 || !blocks) return;
    if (blocks.mark[block]! & MERGED) this.zoomTo(block);
    else this.asks.select(pathOf(blocks, block));
  }

  private zoomTo(block: number): void {
    const [x, wide] = this.span(this.frame!, block);
    const { k } = this.transform;
    const bigger = Math.min(1e6, (k * this.wide * 0.9) / Math.max(wide, 1e-3));
    const middle = (x + wide / 2 - this.transform.x) / k;
    const next = zoomIdentity.translate(this.wide / 2 - middle * bigger, this.transform.y).scale(bigger);
    select(this.canvas).call(this.behaviour.transform, next);
  }

  private key(event: KeyboardEvent): void {
    const path = this.frame?.head.node?.path ?? [];
    const families = this.frame?.head.above ?? [];
    const chosen = select(this.canvas);
    const last = path[path.length - 1] ?? 0;
    const siblings = families[families.length - 1]?.children ?? 1;
    if (event.key === "ArrowUp" && path.length) this.asks.select(path.slice(0, -1));
    else if (event.key === "ArrowDown" && this.frame?.head.node?.kids?.length)
      this.asks.select(this.frame.head.node.kids[0]!.path);
    else if (event.key === "ArrowLeft" && path.length && last > 0) this.asks.select([...path.slice(0, -1), last - 1]);
    else if (event.key === "ArrowRight" && path.length && last + 1 < siblings)
      this.asks.select([...path.slice(0, -1), last + 1]);
    else if (event.key === "+" || event.key === "=") chosen.call(this.behaviour.scaleBy, 1.6);
    else if (event.key === "-") chosen.call(this.behaviour.scaleBy, 1 / 1.6);
    else if (event.key === "0") this.reset();
    else return;
    event.preventDefault();
  }

  describe(text: string): void {
    this.canvas.setAttribute("aria-label", text);
  }
}

/** How sure a value is, as far as a block tells: certain values are opaque, leaves that nobody has looked at pale. */
function certainty(mark: number, size: number): number {
  if (mark & SOLVED) return 1;
  return Math.min(0.95, 0.42 + 0.042 * Math.log2(1 + size));
}

function outline(c: CanvasRenderingContext2D, x: number, y: number, wide: number, colour: string, thick: number): void {
  c.strokeStyle = colour;
  c.lineWidth = thick;
  c.strokeRect(x + thick / 2, y + thick / 2, Math.max(1, wide - thick), ROW - 1 - thick);
}
