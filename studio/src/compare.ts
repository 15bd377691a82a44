// Two or more searches of one position with one budget, side by side.

import { ChoicePicker } from "./choice";
import { count, fill, h, number } from "./dom";
import { Icicle } from "./icicle";
import type { Link } from "./link";
import type { Shows } from "./treepanel";
import type { Choice, Frame, Hello, State } from "./types";

interface Side { icicle: Icicle; facts: HTMLElement; element: HTMLElement }

export class CompareTab {
  readonly element: HTMLElement;
  private pickers: ChoicePicker[] = [];
  private list = h("div", { class: "pickers" });
  private sides = new Map<string, Side>();
  private grid = h("div", { class: "sides" });
  private unit = h("select", { "aria-label": "Budget in" }, h("option", {}, "expansions"), h("option", {}, "nodes"), h("option", {}, "seconds"));
  private amount = h("input", { type: "number", min: 1, value: 20000, "aria-label": "Budget of each search" });
  private state: State | null = null;

  constructor(private link: Link, private hello: Hello, private shows: Shows) {
    this.element = h("div", {}, this.list,
      h("div", { class: "buttons" },
        h("label", {}, "Each with ", this.amount, this.unit),
        h("button", { class: "primary", click: () => void this.go() }, "Compare"),
        h("button", { click: () => void this.link.ask("halt", { lane: "sides" }).catch(() => {}) }, "Stop"),
        h("button", { click: () => this.add() }, "One more")),
      this.grid);
    for (const search of ["best-first", "conspiracy"]) this.add(search);
  }

  private add(search = "minmax-approximation"): void {
    if (this.pickers.length >= 4) return;
    const picker = new ChoicePicker(this.hello, `Search ${this.pickers.length + 1}`, { trees: true, budget: false, level: false });
    this.pickers.push(picker);
    this.list.append(picker.element);
    if (this.state) picker.update(this.state);
    picker.set(`search ${search}`);
    (picker as { first?: string }).first = search;
  }

  update(state: State): void {
    const first = !this.state;
    this.state = state;
    for (const picker of this.pickers) {
      picker.update(state);
      if (first) picker.set(`search ${(picker as { first?: string }).first}`);
    }
  }

  async go(): Promise<void> {
    const choices = this.pickers.map((picker) => picker.choice).filter((choice): choice is Choice => choice !== null);
    const amount = Number(this.amount.value);
    try {
      const names = (await this.link.ask("compare", {
        choices, budget: { [this.unit.value]: this.unit.value === "seconds" ? amount : Math.round(amount) },
      })) as string[];
      this.sides.clear();
      for (const [n, name] of names.entries()) {
        const facts = h("dl", { class: "facts" });
        const icicle = new Icicle({
          view: (left, right) => void this.link.ask("view", { lane: name, left, right }).catch(() => {}),
          select: (path) => void this.select(path),
        }, 220, 340);
        const title = choices[n]!.search ?? choices[n]!.player ?? "";
        this.sides.set(name, { icicle, facts, element: h("section", { class: "card" }, h("h3", {}, title), facts, icicle.element) });
        void this.link.ask("view", { lane: name, left: 0, right: 1 }).catch(() => {});
      }
      fill(this.grid, ...[...this.sides.values()].map((side) => side.element));
    } catch (error) {
      this.shows.fail(error);
    }
  }

  /** One selection for all, as far as the others have grown there. */
  private async select(path: number[]): Promise<void> {
    for (const lane of this.sides.keys()) {
      try {
        await this.link.ask("select", { lane, path });
      } catch {
        continue; // that tree has no such node
      }
    }
  }

  show(frame: Frame): void {
    const { head } = frame;
    const side = this.sides.get(head.lane);
    if (!side) return;
    if (frame.blocks) side.icicle.show(frame);
    side.icicle.describe(`The tree of ${head.rule}: ${head.nodes ?? 0} nodes`);
    const rows: [string, string][] = [
      ["move", head.move ?? "–"], ["value", number(head.value)], ["expansions", count(head.expansions ?? 0)], ["nodes", count(head.nodes ?? 0)],
      ["plies", String(head.depth ?? 0)], ["seconds", (head.seconds ?? 0).toFixed(2)], ["status", head.running ? "running" : (head.status ?? "")],
      ["line", (head.line ?? []).slice(0, 8).join(" ")],
    ];
    fill(side.facts, ...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
  }
}
