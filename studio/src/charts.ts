// Charts of a search: value and interval, shares of the moves, depths, and the staircase of the selected node.

import uPlot from "uplot";
import { count, fill, h, real } from "./dom";
import type { Link } from "./link";
import { COLOURS, finite, plot } from "./plot";
import type { Head, NodeFacts, Sample } from "./types";

interface Samples { samples: Sample[]; moves: string[]; histogram: number[] }

export class Charts {
  readonly element = h("div", { class: "charts" });
  private plots: uPlot[] = [];
  private busy = false;
  private boxes = {
    value: box("Value", "The root’s value against expansions; the bands are what one and three wrong leaves could make of it."),
    shares: box("Where the tree grows", "How many nodes stand below each move of the root, as expansions go on."),
    chance: box("Moves", "How likely each move is a best one, where the search says so; else its part of the tree."),
    depths: box("Depths", "Nodes at every ply."),
    steps: box("Staircase of the selected node", "How many leaves must change for the node to reach a value."),
  };

  constructor(private link: Link, private lane: () => string) {
    this.element.append(...Object.values(this.boxes).map((each) => each.element));
  }

  async refresh(head: Head | undefined): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      const data = (await this.link.ask("samples", { lane: this.lane() })) as Samples;
      this.draw(data, head);
    } catch {
      for (const each of Object.values(this.boxes)) fill(each.body, h("p", { class: "empty" }, "Start a search first."));
    } finally {
      this.busy = false;
    }
  }

  private draw(data: Samples, head: Head | undefined): void {
    for (const plot of this.plots) plot.destroy();
    this.plots = [];
    const x = data.samples.map((sample) => sample.expansions);
    this.value(data, x, head);
    this.shares(data, x);
    this.chance(data, head);
    bars(this.boxes.depths.body, data.histogram.map((n, ply) => [String(ply), n]), count);
    this.staircase(head?.node);
  }

  private value(data: Samples, x: number[], head: Head | undefined): void {
    const [low, high] = (head?.range ?? [NaN, NaN]).map(real);
    const value = data.samples.map((sample) => finite(sample.value));
    // only where it was asked: an interval of before says nothing of a tree that has grown; and the end of the range of
    // values says "anything", and would only flatten the rest
    const band = (key: "one" | "three", end: 0 | 1) => data.samples.map((sample) => {
      const at = finite(sample[key]?.[end]);
      return at === low || at === high ? null : at;
    });
    const columns = [x, value, band("one", 0), band("one", 1), band("three", 0), band("three", 1)] as uPlot.AlignedData;
    const line = { width: 1, points: { show: true, size: 4 }, spanGaps: false };
    this.plot(this.boxes.value.body, columns, [
      {}, { ...line, label: "value", stroke: COLOURS[0]!, width: 2 },
      { ...line, label: "one wrong, least", stroke: "#9bb8de" }, { ...line, label: "one wrong, most", stroke: "#9bb8de" },
      { ...line, label: "three wrong, least", stroke: "#c9d6ea" }, { ...line, label: "three wrong, most", stroke: "#c9d6ea" },
    ], [{ series: [3, 2], fill: "rgba(59,125,216,.22)" }, { series: [5, 4], fill: "rgba(59,125,216,.10)" }]);
  }

  private shares(data: Samples, x: number[]): void {
    const last = data.samples[data.samples.length - 1]?.shares ?? [];
    const top = last.map((n, place) => [n, place] as const).sort((a, b) => b[0] - a[0]).slice(0, 8).map(([, place]) => place);
    const columns = [x, ...top.map((place) => data.samples.map((sample) => sample.shares?.[place] ?? null))] as uPlot.AlignedData;
    this.plot(this.boxes.shares.body, columns, [{}, ...top.map((place, n) => ({
      label: data.moves[place] ?? String(place), stroke: COLOURS[n % COLOURS.length]!, width: 1.5, points: { show: false },
    }))]);
  }

  private chance(data: Samples, head: Head | undefined): void {
    const known = head?.probabilities;
    if (known) {
      const rows = Object.entries(known).sort((a, b) => b[1] - a[1]).slice(0, 12);
      bars(this.boxes.chance.body, rows, (n) => `${(100 * n).toFixed(1)} %`);
      return;
    }
    const last = data.samples[data.samples.length - 1]?.shares ?? [];
    const all = last.reduce((a, b) => a + b, 0) || 1;
    const rows = last.map((n, place): [string, number] => [data.moves[place] ?? String(place), n / all]);
    bars(this.boxes.chance.body, rows.sort((a, b) => b[1] - a[1]).slice(0, 12), (n) => `${(100 * n).toFixed(1)} %`);
  }

  private staircase(node: NodeFacts | undefined): void {
    const points = node ? steps(node.numbers) : [];
    const body = this.boxes.steps.body;
    if (points.length < 2) {
      fill(body, h("p", { class: "empty" }, "The rule of this search keeps no such numbers, or they say nothing here."));
      return;
    }
    const stepped = uPlot.paths.stepped?.({ align: 1 });
    this.plot(body, [points.map((p) => p[0]), points.map((p) => p[1])], [
      {}, { label: "leaves", stroke: COLOURS[0]!, width: 2, ...(stepped ? { paths: stepped } : {}), points: { show: false } }], [], "value");
  }

  private plot(...given: Parameters<typeof plot>): void {
    const made = plot(...given);
    if (made) this.plots.push(made);
  }
}

function box(title: string, about: string): { element: HTMLElement; body: HTMLElement } {
  const body = h("div", { class: "plot" });
  return { element: h("section", { class: "card" }, h("h3", {}, title), h("p", { class: "dim" }, about), body), body };
}

function bars(body: HTMLElement, rows: [string, number][], say: (n: number) => string): void {
  const most = Math.max(...rows.map((row) => row[1]), 1e-9);
  fill(body, h("div", { class: "bars" }, ...rows.flatMap(([name, n]) => {
    const bar = h("span", { class: "bar" });
    bar.style.width = `${Math.max(0.5, (100 * n) / most)}%`;
    return [h("span", { class: "name" }, name), h("span", { class: "track" }, bar), h("span", { class: "n" }, say(n))];
  })));
}

/** How many leaves must change for a node to reach each value: from bounds sequences, or from proof functions. */
export function steps(numbers: Record<string, unknown>): [number, number][] {
  const { upper, lower, p, d } = numbers as Record<string, unknown[] | undefined>;
  const points = new Map<number, number>();
  const put = (value: unknown, leaves: number) => {
    const at = real(value);
    if (Number.isFinite(at) && Number.isFinite(leaves)) points.set(at, Math.min(points.get(at) ?? Infinity, leaves));
  };
  if (upper && lower) for (const side of [upper, lower]) side.forEach((value, n) => put(value, n));
  if (p && d) for (const side of [p, d]) (side as [unknown, unknown][]).forEach(([value, height]) => put(value, real(height)));
  return [...points.entries()].sort((a, b) => a[0] - b[0]);
}
