// The nodes around the selected one: those above it, its best children and theirs, with the rule's own numbers.

import { hierarchy, tree as layout } from "d3-hierarchy";
import type { Scale } from "./colours";
import { count, fill, h, number, real, s } from "./dom";
import type { Head, NodeFacts } from "./types";

const EVERY = 250;
const WIDE = 150, TALL = 38, ROW = 43, COLUMN = 196;

interface Twig { facts: NodeFacts | null; more: number; kids: Twig[] }

export class Nodes {
  readonly element = h("div", { class: "nodes" });
  private above = h("nav", { class: "above", "aria-label": "The line to the selected node" });
  private view = h("div", { class: "scroll" });
  private facts = h("div", { class: "facts" });
  private key = "";
  private later = 0;
  private shown = 0;
  private selected = "";

  constructor(private onSelect: (path: number[]) => void, private scale: Scale) {
    this.element.append(this.above, this.view, this.facts);
  }

  /** While a tree grows, a few times a second: nobody reads faster, and the blocks come first. */
  show(head: Head): void {
    clearTimeout(this.later);
    const wait = this.shown + EVERY - performance.now();
    if (head.running && wait > 0 && head.node?.path.join(".") === this.selected) this.later = window.setTimeout(() => this.update(head), wait);
    else this.update(head);
  }

  private update(head: Head): void {
    const node = head.node;
    if (!node) return;
    this.shown = performance.now();
    this.selected = node.path.join(".");
    const key = JSON.stringify([node, head.principal, head.whole]);
    if (key === this.key) return;
    this.key = key;
    const focused = document.activeElement instanceof Element ? document.activeElement.getAttribute("data-path") : null;
    const chain = [...(head.above ?? []), node];
    fill(
      this.above,
      ...chain.map((each, n) =>
        h("button", {
          class: n === chain.length - 1 ? "crumb here" : "crumb",
          click: () => this.onSelect(each.path),
          "aria-current": n === chain.length - 1 ? "true" : null,
        }, n === 0 ? each.move || "root" : each.move),
      ),
    );
    this.element.classList.toggle("whole", Boolean(head.whole));
    fill(this.view, this.draw(head.whole ?? node, head));
    fill(this.facts, this.table(node, head));
    if (focused !== null && this.element.contains(this.view)) {
      for (const each of this.view.querySelectorAll<SVGElement>("[data-path]"))
        if (each.dataset.path === focused) each.focus();
    }
  }

  clear(why = "No tree yet. Search grows one from the position on the board; you see every part of it as it grows."): void {
    clearTimeout(this.later);
    this.key = "";
    fill(this.above);
    fill(this.view, h("p", { class: "empty" }, why));
    fill(this.facts);
  }

  private draw(node: NodeFacts, head: Head): SVGElement {
    const root = hierarchy<Twig>(twig(node), (each) => each.kids);
    const placed = layout<Twig>().nodeSize([ROW, COLUMN]).separation((a, b) => (a.data.facts && b.data.facts ? 1 : 0.72))(root);
    let top = 0, bottom = 0, deep = 0;
    placed.each((each) => {
      top = Math.min(top, each.x);
      bottom = Math.max(bottom, each.x);
      deep = Math.max(deep, each.y);
    });
    const wide = deep + WIDE + 8, tall = bottom - top + TALL + 10;
    const svg = s("svg", { width: wide, height: tall, viewBox: `0 ${top - TALL / 2 - 5} ${wide} ${tall}`, role: "group",
      "aria-label": "The selected node and the moves below it" });
    const selected = head.node?.path.join(".");
    const line = new Set((head.principal ?? []).map((_, n, all) => all.slice(0, n + 1).join(".")));
    for (const link of placed.links()) {
      const best = link.target.data.facts && line.has(link.target.data.facts.path.join("."));
      const x0 = link.source.y + WIDE, x1 = link.target.y, y0 = link.source.x, y1 = link.target.x;
      svg.append(s("path", {
        d: `M${x0},${y0}C${(x0 + x1) / 2},${y0} ${(x0 + x1) / 2},${y1} ${x1},${y1}`,
        class: best ? "edge best" : "edge",
      }));
    }
    for (const each of placed.descendants()) svg.append(this.box(each.data, each.y, each.x, each.data.facts?.path.join(".") === selected));
    return svg;
  }

  private box(twig: Twig, x: number, y: number, selected: boolean): SVGElement {
    const facts = twig.facts;
    if (!facts) return s("text", { x: x + 4, y: y + 4, class: "more" }, `${count(twig.more)} more`);
    const name = facts.move || "root";
    const words = `${name}: value ${number(facts.value)}${facts.solved ? ", certain" : ""}. ${short(facts.numbers)}`;
    const choose = () => this.onSelect(facts.path);
    const [r, g, b] = this.scale.rgb(real(facts.value));
    return s("g", {
      class: `node${selected ? " selected" : ""}${facts.open ? " open" : ""}`, tabindex: 0, role: "button",
      "aria-label": words, "data-path": facts.path.join("."), transform: `translate(${x},${y - TALL / 2})`,
      click: choose,
      keydown: (event: KeyboardEvent) => {
        if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(); }
      },
    },
      s("rect", { width: WIDE, height: TALL, rx: facts.max ? 3 : 14, fill: `rgb(${r},${g},${b})` }),
      facts.solved ? s("rect", { x: 5, y: TALL - 4, width: WIDE - 10, height: 2, class: "solid" }) : null,
      s("text", { x: 10, y: 16, class: "move" }, clip(name, 10)),
      s("text", { x: WIDE - 10, y: 16, class: "value" }, number(facts.value)),
      s("text", { x: 10, y: 31, class: "small" }, clip(short(facts.numbers) || (facts.size ? `${count(facts.size)} nodes` : ""), 24)),
      s("title", {}, words),
    );
  }

  private table(node: NodeFacts, head: Head): HTMLElement {
    const rows: [string, string][] = [
      ["minimax value", number(node.value) + (node.solved ? ", certain" : "")],
      ["to move", node.max ? "Max" : "Min"],
      ["nodes below", node.size === null ? "–" : count(node.size)],
      ["children", String(node.children)],
      ...(node.chances ?? []).map(([outcome, chance]): [string, string] => [`chance of ${number(outcome)}`, `${(100 * chance).toFixed(1)} %`]),
      ...Object.entries(node.numbers).filter(([name]) => name !== "distribution").map(([name, entry]): [string, string] => [NAMES[name] ?? name, say(entry)]),
    ];
    return h("table", { class: "numbers" },
      h("caption", {}, node.path.length ? `After ${node.move}` : "The root", h("span", { class: "rule" }, head.rule)),
      h("tbody", {}, ...rows.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value)))),
    );
  }
}

const NAMES: Record<string, string> = {
  upper: "upper bounds, by conspirators", lower: "lower bounds, by conspirators", upper_tail: "upper bound beyond",
  lower_tail: "lower bound beyond", w: "penalty of the move, w", pi: "least penalty below, π", arrow: "arrow",
  value: "approximated value", swing: "swing", lookahead: "value for who moved", pn: "proof number", dn: "disproof number", visits: "visits",
  reward: "mean reward", prior: "prior", p: "proof function p", d: "disproof function d", scef: "SCEF value",
  vmin: "v_min", vmax: "v_max", expansions: "expansions below", minimax: "minimax of the errors",
};

function twig(node: NodeFacts): Twig {
  const kids: Twig[] = (node.kids ?? []).map(twig);
  if (node.more) kids.push({ facts: null, more: node.more, kids: [] });
  return { facts: node, more: 0, kids };
}

function say(entry: unknown): string {
  if (Array.isArray(entry)) {
    if (!entry.length) return "none";
    const shown = entry.slice(0, 12).map((each) =>
      Array.isArray(each) ? `${number(each[0])}→${number(each[1])}` : number(each));
    return shown.join("  ") + (entry.length > 12 ? ` … ${entry.length - 12} more` : "");
  }
  return number(entry);
}

/** A rule's numbers in a few words. */
export function short(numbers: Record<string, unknown>): string {
  const words: string[] = [];
  const { upper, lower } = numbers as { upper?: unknown[]; lower?: unknown[] };
  if (upper && lower)
    words.push(`${number(lower[1] ?? numbers.lower_tail)} … ${number(upper[1] ?? numbers.upper_tail)}`);
  const labels: [string, string][] = [["visits", "n"], ["reward", "q"], ["prior", "P"], ["pn", "pn"], ["dn", "dn"],
    ["swing", "swing"], ["w", "w"], ["pi", "π"], ["vmin", "v−"], ["vmax", "v+"], ["minimax", "m"]];
  for (const [name, label] of labels) {
    const entry = numbers[name];
    if (typeof entry === "number") words.push(`${label} ${number(Number(entry.toPrecision(3)))}`);
    else if (entry === "inf") words.push(`${label} ∞`);
  }
  return words.slice(0, 3).join("  ");
}

function clip(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
