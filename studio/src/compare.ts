// Two or more searches of one position with one budget, side by side and in step: all have spent as much at every moment,
// and go back together.

import type uPlot from "uplot";
import { ChoicePicker } from "./choice";
import { count, fill, h, number } from "./dom";
import { Icicle } from "./icicle";
import type { Link } from "./link";
import { COLOURS, finite, plot } from "./plot";
import { tellStep } from "./replay";
import { Scrubber } from "./scrub";
import type { Shows } from "./treepanel";
import { withNodes, type Choice, type Frame, type Head, type Hello, type Picture, type State } from "./types";

const MOST_POINTS = 300;

interface Side {
  title: string;
  icicle: Icicle;
  facts: HTMLElement;
  sentence: HTMLElement;
  element: HTMLElement;
  head: Head | null;
  values: Map<number, number | null>;
}

export class CompareTab {
  readonly element: HTMLElement;
  private pickers: ChoicePicker[] = [];
  private list = h("div", { class: "pickers" });
  private sides = new Map<string, Side>();
  private grid = h("div", { class: "sides" });
  private unit = h("select", { "aria-label": "Budget in" }, h("option", {}, "expansions"), h("option", {}, "nodes"), h("option", {}, "seconds"));
  private amount = h("input", { class: "narrow wide", type: "number", min: 1, value: 20000, "aria-label": "Budget of each search" });
  private stop = h("button", { click: () => void this.tell("halt") }, "Stop");
  private more = h("button", { click: () => void this.tell("go") }, "Go on");
  private scrub: Scrubber;
  private chart = h("div", { class: "plot" });
  private charted = h("section", { class: "card", hidden: true }, h("h3", {}, "Values, in step"), this.chart);
  private drawn: uPlot | null = null;
  private state: State | null = null;

  constructor(private link: Link, private hello: Hello, private shows: Shows) {
    this.scrub = new Scrubber(async (step) => { await this.link.ask("sides", { step }); }, (error) => this.shows.fail(error));
    const adds = h("button", { click: () => { this.add(); adds.hidden = this.pickers.length >= 4; } }, "One more search");
    this.unit.addEventListener("change", () => { this.amount.value = { expansions: "20000", nodes: "100000", seconds: "2" }[this.unit.value] ?? "1"; });
    this.element = h("div", {}, h("div", { class: "card" }, this.list,
      h("div", { class: "buttons" },
        h("label", { class: "row" }, "Each with", this.amount, this.unit),
        h("button", { class: "primary", click: () => void this.go() }, "Compare"), this.stop, this.more, adds)),
      this.scrub.element, this.grid, this.charted);
    this.stop.hidden = this.more.hidden = true;
    for (const search of ["best-first", "conspiracy"]) this.add(search);
  }

  private add(search = "minmax-approximation"): void {
    if (this.pickers.length >= 4) return;
    const picker = new ChoicePicker(this.hello, `Search ${this.pickers.length + 1}`, { trees: true, budget: false, level: false });
    this.pickers.push(picker);
    this.list.append(picker.element);
    picker.first = `search ${search}`;
    if (this.state) picker.update(this.state);
  }

  update(state: State): void {
    this.state = state;
    for (const picker of this.pickers) picker.update(state);
  }

  private async tell(step: string): Promise<void> {
    try {
      await this.link.ask("sides", { step });
      this.scrub.stop();
    } catch (error) {
      this.shows.fail(error);
    }
  }

  async go(): Promise<void> {
    const choices = this.pickers.map((picker) => picker.choice).filter((choice): choice is Choice => choice !== null);
    const amount = Number(this.amount.value);
    try {
      this.scrub.stop();
      this.scrub.set(0);
      this.sides.clear();
      const titles = choices.map((choice) => choice.search ?? choice.player ?? "");
      // the lanes have their names before the first picture comes
      titles.forEach((title, n) => this.sides.set(`side ${n}`, this.side(`side ${n}`, title)));
      fill(this.grid, ...[...this.sides.values()].map((side) => side.element));
      await this.link.ask("compare", { choices, budget: { [this.unit.value]: this.unit.value === "seconds" ? amount : Math.round(amount) } });
    } catch (error) {
      this.shows.fail(error);
    }
  }

  private side(lane: string, title: string): Side {
    const facts = h("dl", { class: "facts" }), sentence = h("div", { class: "sentence", hidden: true });
    const icicle = new Icicle({
      view: (left, right) => void this.link.ask("view", { lane, left, right }).catch(() => {}),
      select: (path) => void this.select(lane, path),
    }, 220, 340);
    const element = h("section", { class: "card side", "aria-label": title }, h("h3", {}, title), facts, sentence, icicle.element);
    return { title, icicle, facts, sentence, element, head: null, values: new Map() };
  }

  /** One selection for all, as far as the others have grown there; the board shows it. */
  private async select(first: string, path: number[]): Promise<void> {
    for (const lane of [first, ...[...this.sides.keys()].filter((each) => each !== first)]) {
      try {
        const said = (await this.link.ask("select", { lane, path })) as { board?: Picture; line?: string[] };
        if (lane === first) this.shows.board(path.length ? (said.board ?? null) : null, said.line ?? []);
      } catch {
        continue; // that tree has no such node
      }
    }
  }

  show(frame: Frame): void {
    const { head } = frame;
    const side = this.sides.get(head.lane);
    if (!side) return;
    withNodes(head, side.head);
    side.head = head;
    if (frame.blocks) side.icicle.show(frame);
    side.icicle.describe(`The tree of ${side.title}: ${head.nodes ?? 0} nodes`);
    const ended = { budget: "budget spent", proven: "proven", decided: "decided", converged: "converged" }[head.status ?? ""] ?? head.status ?? "";
    const rows: [string, string][] = [
      ["move", head.move ?? "–"], ["value", number(head.value)], ["expansions", count(head.expansions ?? 0)], ["nodes", count(head.nodes ?? 0)],
      ["plies", String(head.depth ?? 0)], ["seconds", (head.seconds ?? 0).toFixed(2)], ["status", head.failed || (head.running ? "running" : head.replay?.step !== undefined ? `shown at ${count(head.expansions ?? 0)}` : ended)],
      ["line", (head.line ?? []).slice(0, 6).join(" ")],
    ];
    fill(side.facts, ...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
    const step = head.replay?.step !== undefined;
    side.sentence.hidden = !step;
    if (step) {
      tellStep(side.sentence, head.replay!);
      side.icicle.mark([head.replay!.leaf ?? []]);
    } else this.grown(side, head);
    this.settle();
  }

  /** A picture of a growing tree: another point of the chart. */
  private grown(side: Side, head: Head): void {
    if (side.icicle.isMarked) side.icicle.mark([]);
    side.values.set(head.expansions ?? 0, finite(head.value));
    if (side.values.size > MOST_POINTS) side.values = new Map([...side.values].filter((_, n) => n % 2 === 0));
  }

  /** When all stand still they can be gone through; while one grows, they can be stopped. */
  private settle(): void {
    const heads = [...this.sides.values()].map((side) => side.head);
    const running = heads.some((head) => !head || head.running);
    this.stop.hidden = !running;
    this.more.hidden = running;
    if (running || heads.some((head) => head?.replay?.step !== undefined)) return;
    const most = Math.max(...heads.map((head) => head?.expansions ?? 0));
    this.scrub.set(Math.min(most, 200_000), Math.min(most, 200_000));
    this.draw();
  }

  redraw(): void {
    for (const side of this.sides.values()) side.icicle.redraw();
    if (!this.charted.hidden) this.draw();
  }

  private draw(): void {
    this.charted.hidden = false;
    this.drawn?.destroy();
    const sides = [...this.sides.values()];
    const x = [...new Set(sides.flatMap((side) => [...side.values.keys()]))].sort((a, b) => a - b);
    const columns = [x, ...sides.map((side) => x.map((at) => side.values.get(at) ?? null))] as uPlot.AlignedData;
    this.drawn = plot(this.chart, columns, [{}, ...sides.map((side, n) => ({
      label: side.title, stroke: COLOURS[n]!, width: 1.5, spanGaps: true, points: { show: false },
    }))]);
  }
}
