// The laboratory: matches while they run, their tables and games, and new ones.

import { ChoicePicker } from "./choice";
import { fill, h, number, picture } from "./dom";
import type uPlot from "uplot";
import type { Link } from "./link";
import { COLOURS, finite, plot } from "./plot";
import type { Shows } from "./treepanel";
import type { Choice, Hello, Picture, State } from "./types";

interface Listed { file: string; game: string; players: string[]; done: number; planned: number; running: boolean }
interface Table {
  file: string; game: string; games: number; planned: number; note: string; running: boolean;
  players: { name: string; elo: number; interval: number; wins: number; losses: number; draws: number }[];
  cross: Record<string, Record<string, number>>;
  list: { number: number; max: string; min: string; points: number; reason: string; moves: number }[];
}
interface Game { players: { max: string; min: string }; moves: string[]; values: (number | string | null)[]; movers: ("max" | "min")[]; boards: Picture[]; number: number; reason: string }

export class LabTab {
  readonly element: HTMLElement;
  private matches = h("div", { class: "matches" });
  private table = h("div", {});
  private viewer = h("div", {});
  private pickers: ChoicePicker[];
  private games = h("input", { type: "number", min: 2, value: 20, "aria-label": "Games of each pairing" });
  private name = h("input", { value: "match", "aria-label": "Name of the match", maxlength: 60 });
  private file = "";
  private state: State | null = null;
  private timer = 0;
  private game: Game | null = null;
  private ply = 0;
  private known = "";
  private chart = h("div", { class: "plot" });
  private drawn: uPlot | null = null;

  constructor(private link: Link, hello: Hello, private shows: Shows) {
    this.pickers = [1, 2].map((n) => new ChoicePicker(hello, `Player ${n}`));
    this.element = h("div", {},
      h("details", { class: "card", open: true }, h("summary", {}, "Start a match of this game"),
        h("div", { class: "pickers" }, ...this.pickers.map((each) => each.element)),
        h("div", { class: "buttons" },
          h("label", {}, "Name ", this.name), h("label", {}, "Games ", this.games),
          h("button", { class: "primary", click: () => void this.start() }, "Start the match"))),
      h("h3", {}, "Matches"), this.matches, this.table, this.viewer);
  }

  update(state: State): void {
    this.state = state;
    if (this.known === state.game) return;
    this.known = state.game;
    for (const [n, picker] of this.pickers.entries()) {
      picker.update(state);
      picker.setBudget("nodes", 2000);
      picker.set(`player ${state.players[n]?.name ?? ""}`);
    }
  }

  open(): void { void this.refresh(); }
  close(): void { clearTimeout(this.timer); }

  private async refresh(): Promise<void> {
    clearTimeout(this.timer);
    try {
      const listed = (await this.link.ask("matches")) as Listed[];
      fill(this.matches, listed.length ? h("ul", { class: "lines" }, ...listed.map((each) => h("li", {},
        h("button", { class: each.file === this.file ? "link here" : "link", click: () => { this.file = each.file; void this.refresh(); } }, each.file),
        h("span", { class: "dim" }, ` ${each.game}, ${each.done} of ${each.planned} games${each.running ? ", running" : ""}`),
        each.running ? h("button", { click: () => void this.link.ask("end", { file: each.file }).then(() => this.refresh()) }, "Stop") : null)))
        : h("p", { class: "empty" }, "No matches yet: start one above, or name a folder with --matches."));
      if (this.file) this.tell((await this.link.ask("table", { file: this.file })) as Table);
    } catch (error) {
      this.shows.fail(error);
    }
    if (this.element.isConnected && !this.element.hidden) this.timer = window.setTimeout(() => void this.refresh(), 1500);
  }

  private async start(): Promise<void> {
    const players = this.pickers.map((picker) => picker.choice).filter((choice): choice is Choice => choice !== null);
    try {
      this.file = (await this.link.ask("start", {
        match: { game: this.state?.game, options: this.state?.options ?? {}, players, games: Number(this.games.value), name: this.name.value },
      })) as string;
      await this.refresh();
    } catch (error) {
      this.shows.fail(error);
    }
  }

  private tell(table: Table): void {
    const names = table.players.map((each) => each.name);
    fill(this.table,
      h("section", { class: "card" }, h("h3", {}, `${table.file}: ${table.games} of ${table.planned} games`),
        h("div", { class: "scroll" }, h("table", { class: "ratings" },
          h("thead", {}, h("tr", {}, ...["Player", "Elo", "± 95 %", "won", "lost", "drawn", ...names].map((name) => h("th", { scope: "col" }, name)))),
          h("tbody", {}, ...table.players.map((each) => h("tr", {}, h("th", { scope: "row" }, each.name),
            h("td", {}, `${each.elo >= 0 ? "+" : "−"}${Math.abs(Math.round(each.elo))}`), h("td", {}, number(Math.round(each.interval))),
            h("td", {}, String(each.wins)), h("td", {}, String(each.losses)), h("td", {}, String(each.draws)),
            ...names.map((name) => h("td", { class: "cross" }, table.cross[each.name]?.[name] === undefined ? "" : `${Math.round(100 * table.cross[each.name]![name]!)} %`))))))),
        table.note ? h("p", { class: "dim" }, table.note) : null,
        h("div", { class: "games" }, ...table.list.slice(0, 100).map((game) =>
          h("button", { class: "link", click: () => void this.look(table.file, game.number) },
            `${game.number + 1}. ${game.max} – ${game.min}  ${game.points === 1 ? "1–0" : game.points === 0 ? "0–1" : "½–½"}`)))));
  }

  private async look(file: string, game: number): Promise<void> {
    try {
      this.game = (await this.link.ask("game", { file, number: game })) as Game;
      this.ply = 0;
      this.step(0);
    } catch (error) {
      this.shows.fail(error);
    }
  }

  private step(by: number): void {
    const game = this.game;
    if (!game) return;
    this.ply = Math.min(game.boards.length - 1, Math.max(0, this.ply + by));
    const shown = game.boards[this.ply]!;
    const drawn = shown.svg === null ? h("pre", {}, shown.text) : picture(shown.svg);
    const at = this.ply - 1, side = game.movers[at];
    const words = side ? `${this.ply}. ${game.moves[at]} by ${game.players[side]}` : "the opening";
    // what each player thought last, up to here
    const thought = (who: "max" | "min"): string => {
      for (let n = at; n >= 0; n--) if (game.movers[n] === who && finite(game.values[n]) !== null) return number(game.values[n]);
      return "–";
    };
    fill(this.viewer, h("section", { class: "card viewer" },
      h("h3", {}, `Game ${game.number + 1}: ${game.players.max} – ${game.players.min}`),
      h("div", { class: "buttons" },
        h("button", { "aria-label": "First position", click: () => this.step(-1e6) }, "|◀"),
        h("button", { "aria-label": "One move back", click: () => this.step(-1) }, "◀"),
        h("button", { "aria-label": "One move on", click: () => this.step(1) }, "▶"),
        h("button", { "aria-label": "Last position", click: () => this.step(1e6) }, "▶|"),
        h("span", {}, words),
        h("span", { class: "dim" }, this.ply === game.boards.length - 1 ? ` ${game.reason}` : "")),
      h("div", { class: "played" }, h("div", {}, drawn),
        h("div", {}, h("dl", { class: "facts both" }, ...(["max", "min"] as const).flatMap((who) => [h("dt", {}, game.players[who]), h("dd", {}, `value ${thought(who)}`)])),
          this.chart))));
    this.draw(game);
  }

  /** What both players thought of the game, move by move; the values are Max's. */
  private draw(game: Game): void {
    this.drawn?.destroy();
    const plies = game.moves.map((_, n) => n + 1);
    const of = (who: "max" | "min") => game.values.map((value, n) => (game.movers[n] === who ? finite(value) : null));
    const line = { width: 1.5, spanGaps: true, points: { show: true, size: 4 } };
    this.drawn = plot(this.chart, [plies, of("max"), of("min")] as uPlot.AlignedData, [{},
      { ...line, label: game.players.max, stroke: COLOURS[0]! }, { ...line, label: game.players.min, stroke: COLOURS[1]! }], [], "moves");
  }
}
