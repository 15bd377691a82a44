// The game itself: which game, who plays, the clock, taking back, hints, positions and files.

import { ChoicePicker } from "./choice";
import { fill, h } from "./dom";
import type { Link } from "./link";
import type { Hello, Option, State } from "./types";

/** Options that change what people see; the others are for searches and tests. */
const SHOWN = new Set(["size", "swap", "branching", "depth", "width", "seed", "chess960", "start"]);

/** A game of one's own by its name, without the folders of its file. */
export function shortName(game: string): string {
  return game.split("/").pop() ?? game;
}

interface Says { fail(error: unknown): void }

export class Table {
  readonly games: HTMLElement;
  readonly controls: HTMLElement;
  readonly seats: HTMLElement;
  readonly setup: HTMLElement;
  readonly typed: HTMLElement;
  private game: HTMLSelectElement;
  private options = h("span", { class: "options" });
  private pickers: Record<"max" | "min", ChoicePicker>;
  private titles = { max: h("h3", {}), min: h("h3", {}) };
  private clocked = h("input", { type: "checkbox" });
  private minutes = h("input", { type: "number", min: 0.1, step: "any", value: 5, "aria-label": "Minutes for the game" });
  private extra = h("input", { type: "number", min: 0, step: "any", value: 3, "aria-label": "Seconds for each move" });
  private clock = h("div", { class: "clock", hidden: true });
  private position = h("textarea", { rows: 2, "aria-label": "Position in the game’s notation", spellcheck: "false" });
  private file = h("input", { type: "file", accept: ".sgf,.pgn,.txt", "aria-label": "A game as SGF or PGN" });
  private move = h("input", { "aria-label": "Type a move", placeholder: "type a move", autocomplete: "off", spellcheck: "false" });
  private replyButton = h("button", { hidden: true, click: () => void this.ask("reply") }, "Let it move");
  private editButton: HTMLElement;
  private state: State | null = null;
  private until = 0;

  constructor(private link: Link, private hello: Hello, private says: Says, edit: () => void) {
    this.editButton = h("button", { click: edit }, "Set up by hand");
    this.game = h("select", { "aria-label": "Game", change: () => { this.offer(); void this.fresh(); } },
      ...hello.games.map((game) => h("option", { value: game.name, title: game.name }, game.own ? shortName(game.name) : game.name)));
    this.games = h("div", { class: "row game" }, this.game, this.options, h("button", { click: () => void this.fresh() }, "New game"));
    this.controls = h("div", { class: "buttons" },
      h("button", { click: () => void this.ask("back"), title: "u" }, "Take back"),
      h("button", { click: () => this.hint(), title: "h" }, "Hint"), this.replyButton, this.clock);
    this.pickers = {
      max: new ChoicePicker(hello, "First side", { person: true }), min: new ChoicePicker(hello, "Second side", { person: true }),
    };
    this.seats = h("details", { class: "card seats", open: innerWidth > 900 }, h("summary", {}, "Who plays"),
      h("div", { class: "pickers" }, ...(["max", "min"] as const).map((side) => h("div", {}, this.titles[side], this.pickers[side].element))),
      h("label", { class: "row" }, this.clocked, h("span", {}, "Clock"), this.minutes, h("span", {}, "min +"), this.extra, h("span", {}, "s")),
      h("div", { class: "buttons" }, h("button", { class: "primary", click: () => void this.seat() }, "Play")));
    this.setup = h("details", { class: "card" }, h("summary", {}, "Position and files"), this.position,
      h("div", { class: "buttons" }, h("button", { click: () => void this.set() }, "Set up this position"),
        this.editButton,
        h("button", { click: () => void navigator.clipboard.writeText(this.position.value).catch(() => {}) }, "Copy")),
      h("label", { class: "row" }, h("span", {}, "Open SGF or PGN"), this.file));
    this.file.addEventListener("change", () => void this.open());
    this.typed = h("form", { class: "row typed", submit: (event: Event) => {
      event.preventDefault();
      if (this.move.value.trim()) void this.ask("move", { move: this.move.value.trim() }).then(() => { this.move.value = ""; });
    } }, this.move, h("button", {}, "Move"));
    setInterval(() => this.tick(), 200);
  }

  update(state: State): void {
    const changed = this.state?.game !== state.game;
    this.state = state;
    if (changed) {
      this.game.value = state.game;
      this.offer();
    }
    for (const side of ["max", "min"] as const) {
      this.titles[side].textContent = state.board.sides[side];
      this.pickers[side].update(state);
      if (changed && !state.sides[side]) this.pickers[side].set(side === "max" ? "" : `player ${state.players[0]?.name}`);
    }
    if (document.activeElement !== this.position) this.position.value = state.board.notation;
    const turn = state.sides[state.board.to_move];
    this.replyButton.hidden = !(turn && state.paused && state.board.outcome === null && !state.thinking);
    this.editButton.hidden = Object.keys(state.board.cells).length === 0;
    this.until = performance.now();
    this.tick();
  }

  private tick(): void {
    const clock = this.state?.clock;
    this.clock.hidden = !clock;
    if (!clock || !this.state) return;
    const gone = (performance.now() - this.until) / 1000;
    fill(this.clock, ...(["max", "min"] as const).map((side) => {
      const left = Math.max(0, clock[side] - (clock.runs === side ? gone : 0));
      return h("span", { class: clock.runs === side ? "runs" : "" }, `${this.state!.board.sides[side]} ${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`);
    }));
  }

  private offer(): void {
    const options = this.hello.games.find((each) => each.name === this.game.value)?.options ?? [];
    const given = this.state?.game === this.game.value ? this.state.options : {};
    fill(this.options, ...options.filter((each) => SHOWN.has(each.name)).map((each: Option) => h("label", { title: each.about }, `${each.name} `,
      each.type === "bool" ? h("input", { type: "checkbox", "data-name": each.name, checked: (given[each.name] ?? each.default) === true })
        : h("input", { class: "narrow", "data-name": each.name, "data-usual": String(each.default ?? ""), value: String(given[each.name] ?? each.default ?? "") }))));
  }

  private chosen(): Record<string, unknown> {
    const options: Record<string, unknown> = {};
    for (const input of this.options.querySelectorAll<HTMLInputElement>("[data-name]")) {
      if (input.type === "checkbox") { if (input.checked !== input.defaultChecked || input.checked) options[input.dataset.name!] = input.checked; }
      else if (input.value !== "" && input.value !== input.dataset.usual) options[input.dataset.name!] = Number.isNaN(Number(input.value)) ? input.value : Number(input.value);
    }
    return options;
  }

  private async ask(what: string, more: Record<string, unknown> = {}): Promise<void> {
    try {
      await this.link.ask(what, more);
    } catch (error) {
      this.says.fail(error);
    }
  }

  private fresh(): Promise<void> { return this.ask("new", { game: this.game.value, options: this.chosen(), position: null }); }
  private set(): Promise<void> { return this.ask("new", { game: this.game.value, options: this.chosen(), position: this.position.value }); }
  hint(): void { void this.ask("hint", { choice: null }); }

  private seat(): Promise<void> {
    const clock = this.clocked.checked ? { minutes: Number(this.minutes.value), increment: Number(this.extra.value) } : null;
    return this.ask("seat", { sides: { max: this.pickers.max.choice, min: this.pickers.min.choice }, clock });
  }

  private async open(): Promise<void> {
    const file = this.file.files?.[0];
    if (!file) return;
    if (file.size > 900_000) this.says.fail(new Error(`${file.name} is too long: at most 900,000 characters`));
    else await this.ask("open", { name: file.name, text: await file.text() });
    this.file.value = "";
  }
}
