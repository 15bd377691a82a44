// Choosing who plays or searches: a player of the game or any search, a level, a budget.

import { fill, h } from "./dom";
import type { Choice, Hello, State } from "./types";

export class ChoicePicker {
  readonly element = h("div", { class: "picker" });
  private who: HTMLSelectElement;
  private level: HTMLInputElement;
  private unit: HTMLSelectElement;
  private amount: HTMLInputElement;
  private more = h("div", { class: "more" });
  private about = h("p", { class: "dim about" });
  private key = "";
  /** What is chosen at the beginning. */
  first = "";

  constructor(
    private hello: Hello,
    label: string,
    private kind: { person?: boolean; trees?: boolean; budget?: boolean; level?: boolean } = {},
    unlimited = false,
  ) {
    this.who = h("select", { "aria-label": label, change: () => this.changed() });
    this.level = h("input", { type: "range", min: 1, max: hello.levels, value: hello.levels, "aria-label": `Level: ${label}` });
    this.unit = h("select", { "aria-label": `Budget in: ${label}` },
      ...(unlimited ? ["until stopped"] : []).concat(hello.units).map((unit) => h("option", {}, unit)));
    this.amount = h("input", { type: "number", min: 0, step: "any", value: 1, "aria-label": `Budget: ${label}` });
    const shown = h("output", {}, String(hello.levels));
    this.level.addEventListener("input", () => { shown.textContent = this.level.value; });
    this.unit.addEventListener("change", () => {
      this.amount.value = this.unit.value === "seconds" ? "1" : this.unit.value === "nodes" ? "100000" : "10000";
      this.amount.hidden = this.unit.value === "until stopped";
    });
    this.amount.hidden = unlimited;
    this.element.append(
      h("label", { class: "row" }, h("span", {}, label), this.who),
      this.kind.level === false ? "" : h("label", { class: "row level" }, h("span", {}, "Level"), this.level, shown),
      this.kind.budget === false ? "" : h("label", { class: "row budget" }, h("span", {}, "Budget"), this.amount, this.unit),
      this.more, this.about,
    );
  }

  update(state: State): void {
    const key = `${state.game} ${state.players.map((each) => each.name).join()}`;
    if (key === this.key) return;
    this.key = key;
    const kept = this.who.value; // another game has other players, and the same searches
    const players = state.players.filter((each) => !this.kind.trees || each.tree);
    const searches = this.hello.searches.filter((each) => !this.kind.trees || each.tree);
    fill(this.who,
      this.kind.person ? h("option", { value: "" }, "You") : null,
      h("optgroup", { label: "Players" }, ...players.map((each) => h("option", { value: `player ${each.name}`, title: each.about }, each.name))),
      h("optgroup", { label: "Searches" }, ...searches.map((each) => h("option", { value: `search ${each.name}`, title: each.about }, each.name))),
    );
    this.evaluators = state.evaluators;
    this.abouts = new Map(state.players.map((each) => [each.name, each.about]));
    this.set(kept || this.first);
  }

  private evaluators: string[] = [];
  private abouts = new Map<string, string>();

  set(value: string): void {
    if ([...this.who.options].some((option) => option.value === value)) this.who.value = value;
    this.changed();
  }

  setBudget(unit: string, amount: number): void {
    this.unit.value = unit;
    this.amount.value = String(amount);
    this.amount.hidden = unit === "until stopped";
  }

  private changed(): void {
    const [kind, name] = split(this.who.value);
    this.element.classList.toggle("person", kind === "");
    fill(this.more);
    const info = kind === "search" ? this.hello.searches.find((each) => each.name === name) : undefined;
    this.about.textContent = info ? `${info.about} (${info.paper})` : (this.abouts.get(name) ?? "");
    for (const label of this.element.querySelectorAll<HTMLElement>(".level")) label.hidden = kind !== "player";
    if (!info) return;
    const rows = info.parameters.map((each) =>
      h("label", { class: "row", title: each.about }, h("span", {}, each.name),
        each.choices
          ? h("select", { "data-name": each.name }, h("option", { value: "" }, `usual: ${String(each.default ?? "none")}`), ...each.choices.map((word) => h("option", {}, word)))
          : h("input", { "data-name": each.name, "data-type": each.type, placeholder: String(each.default ?? "none") })));
    const evaluator = this.evaluators.length
      ? h("label", { class: "row" }, h("span", {}, "evaluator"),
          h("select", { class: "evaluator" }, h("option", { value: "" }, "usual"), ...this.evaluators.map((each) => h("option", {}, each))))
      : null;
    fill(this.more, h("details", {}, h("summary", {}, "Parameters"), evaluator, ...rows));
  }

  get choice(): Choice | null {
    const [kind, name] = split(this.who.value);
    if (kind === "") return null;
    const budget = this.budget;
    if (kind === "player") return { player: name, level: Number(this.level.value), ...(budget ? { budget } : {}) };
    const parameters: Record<string, unknown> = {};
    for (const input of this.more.querySelectorAll<HTMLInputElement | HTMLSelectElement>("[data-name]")) {
      if (input.value === "") continue;
      parameters[input.dataset.name!] = read(input.value, input.dataset.type ?? "str");
    }
    const evaluator = this.more.querySelector<HTMLSelectElement>(".evaluator")?.value;
    return { search: name, parameters, ...(evaluator ? { evaluator } : {}), ...(budget ? { budget } : {}) };
  }

  get budget(): Record<string, number> | null {
    if (this.kind.budget === false || this.unit.value === "until stopped") return null;
    const amount = Number(this.amount.value);
    return amount > 0 ? { [this.unit.value]: this.unit.value === "seconds" ? amount : Math.round(amount) } : null;
  }
}

function split(value: string): [string, string] {
  const at = value.indexOf(" ");
  return at < 0 ? ["", ""] : [value.slice(0, at), value.slice(at + 1)];
}

function read(text: string, type: string): unknown {
  if (type === "bool") return text === "true" || text === "True" || text === "1";
  if (/int|float/.test(type) && text.trim() !== "" && !Number.isNaN(Number(text))) return Number(text);
  if (text === "none" || text === "None") return null;
  return text;
}
