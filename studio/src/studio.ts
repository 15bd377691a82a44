// The page as a whole: what is said is passed on to the parts that show it.

import { BoardView, type HexFacts } from "./board";
import { Charts } from "./charts";
import { ChoicePicker } from "./choice";
import { CompareTab } from "./compare";
import { count, fill, h, number, real } from "./dom";
import { legend } from "./icicle";
import { LabTab } from "./lab";
import { Editor } from "./edit";
import type { Link } from "./link";
import { MoveList } from "./moves";
import { ReplayTab } from "./replay";
import { shortName, Table } from "./table";
import { ToursTab } from "./tours";
import { TreePanel, type Shows } from "./treepanel";
import type { Frame, Head, Hello, Picture, State } from "./types";

const TABS = ["Tree", "Charts", "Replay", "Compare", "Tours", "Lab"] as const;
type Tab = (typeof TABS)[number];
/** What `tests/studio_bars.py` reads. */
interface Stats { drawn: number; bytes: number; nodes: number; wall?: number; cpu?: number; lags?: number[] }

export class Studio implements Shows {
  private state!: State;
  private head: Head | null = null;
  private tab: Tab = "Tree";
  private board_ = new BoardView();
  private moves = new MoveList();
  private toast = h("div", { class: "toast", role: "status", "aria-live": "polite" });
  private bar = h("div", { class: "bar-of-value" });
  private trust = h("div", { class: "bar-of-trust", hidden: true });
  private turn = h("span", { class: "turn", "aria-live": "polite" });
  private thought = h("span", { class: "thought" });
  private playing = h("div", {});
  private now = h("div", { class: "now" }, this.turn, this.thought);
  private stale = h("p", { class: "stale", hidden: true }, "This tree is of another position: search again to see this one.");
  private stop = h("button", { disabled: true, click: () => void this.ask("halt", { lane: "main" }) }, "Stop");
  private goOn = h("button", { disabled: true, click: () => void this.ask("resume", { lane: "main" }) }, "Go on");
  private stats = h("div", { class: "stats" });
  private table!: Table;
  private editor!: Editor;
  private tree!: TreePanel;
  private charts!: Charts;
  private replay!: ReplayTab;
  private compare!: CompareTab;
  private tours!: ToursTab;
  private lab!: LabTab;
  private searcher!: ChoicePicker;
  private panels = new Map<Tab, HTMLElement>();
  private heats: Record<string, Record<string, number>> = {};
  private hex: HexFacts | null = null;
  private heat = h("select", { "aria-label": "Heat on the board", change: () => this.paintHeat() });
  private links = h("input", { type: "checkbox", change: () => this.board_.setFacts(this.links.checked ? this.hex : null) });
  private step = -1;
  private charted = 0;
  private measured = 0;
  private told = 0;

  constructor(private link: Link, private root: HTMLElement) {
    this.board_.onMove = (move) => void this.ask("move", { move });
    this.moves.onGo = (step) => void this.ask("go", { step });
    addEventListener("keydown", (event) => this.key(event));
  }

  meet(hello: Hello, again: boolean): void {
    if (!again) this.build(hello);
    else this.tree.clear();
    this.update(hello.state);
    for (const lane of hello.lanes) void this.link.ask("view", { lane, left: 0, right: 1 }).catch(() => {});
  }

  private build(hello: Hello): void {
    this.tree = new TreePanel(this.link, "main", this);
    this.charts = new Charts(this.link, () => "main");
    this.replay = new ReplayTab(this.link, this);
    this.compare = new CompareTab(this.link, hello, this);
    this.tours = new ToursTab(this.link, hello.tours, this);
    this.lab = new LabTab(this.link, hello, this);
    this.editor = new Editor(this.link, () => this.state, (error) => this.fail(error));
    this.editor.onEnd = () => this.edit(false);
    this.table = new Table(this.link, hello, this, () => void this.edit(true));
    this.searcher = new ChoicePicker(hello, "Search with", { trees: true, level: false }, true);
    const analysis = h("div", {},
      h("div", { class: "card search" }, this.searcher.element,
        h("div", { class: "buttons" },
          h("button", { class: "primary", click: () => void this.search() }, "Search"),
          this.stop, this.goOn)),
      this.stats, this.stale, this.tree.element);
    const bodies: Record<Tab, HTMLElement> = {
      Tree: analysis, Charts: this.charts.element, Replay: this.replay.element, Compare: this.compare.element,
      Tours: this.tours.element, Lab: this.lab.element,
    };
    const tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "What to look at" }, ...TABS.map((tab) =>
      h("button", { role: "tab", id: `tab-${tab}`, "aria-controls": `panel-${tab}`, click: () => this.open(tab), keydown: (event: KeyboardEvent) => this.tabKey(event, tab) }, tab)));
    const panels = TABS.map((tab) => {
      const panel = h("div", { role: "tabpanel", id: `panel-${tab}`, "aria-labelledby": `tab-${tab}`, class: "panel" }, bodies[tab]);
      this.panels.set(tab, panel);
      return panel;
    });
    const header = h("header", {}, h("h1", {}, "conspirator", h("span", {}, "studio")), this.table.games,
      h("div", { class: "grow" }),
      h("button", { class: "quiet", click: () => void this.share() }, "Share"),
      h("button", { class: "quiet", "aria-label": "Light or dark", click: () => this.theme() }, "◐"));
    const overlays = h("div", { class: "row overlays" }, h("label", {}, "Heat ", this.heat), h("label", { class: "hexonly" }, this.links, " Connections"));
    this.playing.append(h("div", { class: "boardrow" }, this.bar, this.trust, this.board_.element), this.now, this.table.controls, overlays);
    const left = h("section", { class: "left", "aria-label": "Board and game" },
      h("div", { class: "card table" }, this.editor.element, this.playing),
      h("div", { class: "card" }, h("h2", {}, "Moves"), this.moves.element, this.table.typed),
      this.table.seats, this.table.setup);
    const right = h("section", { class: "right", "aria-label": "Searches" }, tabs, ...panels);
    this.root.append(header, h("main", {}, left, right), this.toast);
    this.tree.icicle.onDraw = (frame) => this.measure(frame);
    this.open("Tree");
  }

  private open(tab: Tab): void {
    if (tab !== this.tab) this.board_.draw(); // what one tab shows of its tree is not of the next
    this.tab = tab;
    for (const [name, panel] of this.panels) {
      panel.hidden = name !== tab;
      const button = document.querySelector(`#tab-${name}`) as HTMLElement;
      button.setAttribute("aria-selected", String(name === tab));
      button.tabIndex = name === tab ? 0 : -1;
    }
    this.lab.element.hidden = tab !== "Lab";
    if (tab === "Lab") this.lab.open();
    else this.lab.close();
    if (tab === "Charts") void this.charts.refresh(this.head ?? undefined);
  }

  private tabKey(event: KeyboardEvent, tab: Tab): void {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const next = TABS[(TABS.indexOf(tab) + by + TABS.length) % TABS.length]!;
    this.open(next);
    (document.querySelector(`#tab-${next}`) as HTMLElement).focus();
  }

  // what the studio says

  hear(news: Record<string, unknown>): void {
    if (news.push === "state") this.update(news.state as State);
    else if (news.push === "error") this.fail(new Error(String(news.error)));
    else if (news.push === "hint") this.board_.mark(String(news.move));
    else if (news.push === "lane") this.see({ head: { ...(this.head ?? {}), facts: undefined, ...news } as Head, blocks: null });
  }

  see(frame: Frame): void {
    const { lane } = frame.head;
    if (lane === "replay") this.replay.show(frame);
    else if (lane === "tour") this.tours.show(frame);
    else if (lane.startsWith("side ")) this.compare.show(frame);
    else {
      this.head = frame.head;
      if (frame.blocks) this.tree.show(frame);
      else if (frame.head.tree === false) this.tree.clear("This search keeps no tree: there are its value and its line only.");
      this.stale.hidden = frame.head.root === this.state.board.notation;
      // the blocks come with every picture; words, and heat on the board, as fast as people read
      if (!frame.head.running || performance.now() - this.told > 200) {
        this.told = performance.now();
        this.tell(frame.head);
        this.paintHeat();
      }
      if (this.tab === "Charts" && (performance.now() - this.charted > 700 || !frame.head.running)) {
        this.charted = performance.now();
        void this.charts.refresh(frame.head);
      }
    }
  }

  update(state: State): void {
    if (this.state && this.state.game !== state.game) this.tree.clear();
    const other = this.state?.board.notation !== state.board.notation || this.state?.game !== state.game;
    this.state = state;
    sessionStorage.setItem("session", state.session);
    const { game, options, start, steps, current, sides } = state;
    sessionStorage.setItem("document", JSON.stringify({ game, options, start, steps: steps.map(({ parent, move }) => ({ parent, move })), current, sides }));
    this.board_.show(state.board, !state.thinking);
    this.moves.show(state);
    const { max, min } = state.board.sides;
    this.tree.icicle.legend(legend(max, min));
    this.table.update(state);
    this.searcher.update(state);
    this.compare.update(state);
    this.lab.update(state);
    document.title = `${shortName(state.game)} – conspirator studio`;
    if (other) {
      if (this.editor.isOpen) this.editor.end(); // it was of the position before
      this.head = null;
      void this.overlays();
    }
    this.tell(this.head);
    this.stale.hidden = !this.tree.frame || this.tree.frame.head.root === state.board.notation;
  }

  private async overlays(): Promise<void> {
    try {
      const said = (await this.link.ask("overlays")) as { step: number; heats: Record<string, Record<string, number>>; hex: HexFacts };
      this.heats = said.heats;
      this.hex = said.hex;
      this.step = said.step;
    } catch {
      this.heats = {};
      this.hex = null;
    }
    const kept = this.heat.value;
    fill(this.heat, h("option", { value: "" }, "none"), h("option", { value: "tree" }, "part of the tree"),
      h("option", { value: "probability" }, "probability"), ...Object.keys(this.heats).map((kind) => h("option", { value: kind }, kind)));
    if ([...this.heat.options].some((option) => option.value === kept)) this.heat.value = kept;
    document.body.classList.toggle("hex", this.state.game === "hex");
    this.board_.setFacts(this.links.checked ? this.hex : null);
    this.paintHeat();
  }

  private paintHeat(): void {
    const kind = this.heat.value;
    let heat: Record<string, number> = this.heats[kind] ?? {};
    const head = this.head;
    if (kind === "tree" && head?.shares && head.node) {
      const most = Math.max(...head.shares, 1);
      const legal = this.state.board.moves;
      if (head.shares.length === legal.length) heat = Object.fromEntries(legal.map((move, n) => [move.move, head.shares![n]! / most]));
    }
    if (kind === "probability" && head?.probabilities) heat = head.probabilities;
    if (this.step === this.state?.current) this.board_.setHeat(heat);
  }

  private tell(head: Head | null): void {
    const facts = head?.facts ?? head;
    const { board, thinking, flag } = this.state;
    const draw = head?.draw ?? middle(board.range);
    const value = real(facts?.value ?? board.outcome);
    const half = this.tree.icicle.scale.half || usual(board.range);
    const place = board.outcome !== null ? (board.winner === "max" ? 1 : board.winner === "min" ? 0 : 0.5)
      : Number.isNaN(value) ? 0.5 : value === Infinity ? 1 : value === -Infinity ? 0 : 0.5 + Math.atan((value - draw) / half) / Math.PI;
    this.bar.style.setProperty("--part", `${(100 * place).toFixed(1)}%`);
    const confidence = typeof head?.confidence === "number" ? `, ${(100 * head.confidence).toFixed(0)} % sure` : "";
    this.trust.hidden = typeof head?.confidence !== "number";
    this.trust.style.setProperty("--part", `${(100 * (head?.confidence ?? 0)).toFixed(1)}%`);
    this.trust.title = `The chosen move is a best one with a probability of ${(100 * (head?.confidence ?? 0)).toFixed(0)} %`;
    this.bar.title = `value ${number(facts?.value ?? null)}${confidence}`;
    this.bar.setAttribute("role", "img");
    this.bar.setAttribute("aria-label", `Value for ${board.sides.max}: ${number(facts?.value ?? null)}${confidence}`);
    const over = board.winner === "neither" ? "A draw." : board.winner ? `${board.sides[board.winner]} wins.` : "";
    const turn = flag ? `${board.sides[flag as "max"]} has run out of time.` : over || (thinking ? `${board.sides[thinking as "max"]} is thinking …` : `${board.mover} to move`);
    if (this.turn.textContent !== turn) this.turn.textContent = turn; // said once, not with every picture
    fill(this.thought,
      head && head.value !== undefined ? h("span", { class: "value" }, `value ${number(head.value)}${confidence}`) : null,
      head?.move ? h("span", { class: "dim" }, `best: ${(head.line ?? [head.move]).slice(0, 6).join(" ")}`) : null);
    this.stop.disabled = !head?.running;
    this.goOn.disabled = !head || head.running || !head.tree || head.status === "proven";
    if (!head) { fill(this.stats); return; }
    if (head.failed) this.fail(new Error(head.failed));
    const rows: [string, string][] = [
      ["nodes", count(facts?.nodes ?? 0)], ["expansions", count(facts?.expansions ?? 0)], ["plies", String(facts?.depth ?? 0)],
      ["value", number(facts?.value ?? null)], ["seconds", (facts?.seconds ?? 0).toFixed(1)],
      ["", head.running ? "searching" : (head.status === "budget" ? "budget spent" : (head.status ?? ""))],
    ];
    fill(this.stats, ...rows.map(([name, text]) => h("span", {}, h("b", {}, text), name ? ` ${name}` : "")));
  }

  private measure(frame: Frame): void {
    const made = frame.head.made;
    const stats = ((window as unknown as { studioStats?: Stats }).studioStats ??= { drawn: 0, bytes: 0, nodes: 0 });
    stats.drawn = this.tree.icicle.drawn;
    stats.bytes = this.link.bytes;
    stats.nodes = frame.head.nodes ?? 0;
    stats.wall = frame.head.wall ?? 0;
    stats.cpu = frame.head.cpu ?? 0;
    if (!made || !frame.head.running || made === this.measured) return;
    this.measured = made;
    // a message that is posted while a frame is drawn comes when it has been handed over to the screen
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      const lags = (stats.lags ??= []) as number[];
      if (lags.length < 5000) lags.push(Date.now() - made * 1000);
      channel.port1.close();
    };
    channel.port2.postMessage(0);
  }

  // what people do

  async ask(what: string, more: Record<string, unknown> = {}): Promise<void> {
    try {
      await this.link.ask(what, more);
    } catch (error) {
      this.fail(error);
    }
  }

  /** The board to set up a position takes the place of the one to play on. */
  private async edit(open: boolean): Promise<void> {
    if (open) await this.editor.begin();
    this.playing.hidden = this.editor.isOpen;
  }

  private async search(): Promise<void> {
    this.tree.clear();
    await this.ask("analyse", { choice: this.searcher.choice, budget: this.searcher.budget });
    this.tree.watch();
  }

  board(shown: Picture | null, line: string[]): void {
    if (shown) this.board_.peek(shown, `After ${line.join(" ")} – back to the game`);
    else this.board_.draw();
  }

  fail(error: unknown): void {
    this.toast.textContent = error instanceof Error ? error.message : String(error);
    this.toast.classList.add("shown");
    setTimeout(() => this.toast.classList.remove("shown"), 6000);
  }

  private async share(): Promise<void> {
    const words = new URLSearchParams({ game: this.state.game, options: JSON.stringify(this.state.options), position: this.state.board.notation });
    const address = `${location.origin}/#${words}`;
    try {
      await navigator.clipboard.writeText(address);
      this.toast.textContent = "The address of this position is in the clipboard.";
    } catch {
      this.toast.textContent = address;
    }
    this.toast.dataset.address = address;
    this.toast.classList.add("shown");
    setTimeout(() => this.toast.classList.remove("shown"), 6000);
  }

  private theme(): void {
    const dark = document.documentElement.dataset.theme === "dark" || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
    document.documentElement.dataset.theme = dark ? "light" : "dark";
    localStorage.setItem("theme", dark ? "light" : "dark");
    this.tree.icicle.redraw();
    if (this.tree.frame) { this.tree.nodes.clear(); this.tree.nodes.show(this.tree.frame.head); }
    if (this.tab === "Charts") void this.charts.refresh(this.head ?? undefined);
    this.compare.redraw();
    this.replay.panel.icicle.redraw();
    this.tours.panel.icicle.redraw();
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (target.closest("input, select, textarea, canvas, [role=button]") || event.ctrlKey || event.metaKey || event.altKey) return;
    const does: Record<string, () => void> = {
      u: () => void this.ask("back"), h: () => this.table.hint(), s: () => void this.search(), Escape: () => this.board_.draw(),
    };
    does[event.key]?.();
  }
}

/** How far values usually go where no tree has shown it. */
function usual(range: [number | string, number | string]): number {
  const wide = real(range[1]) - real(range[0]);
  return Number.isFinite(wide) && wide > 0 ? wide / 20 : 10;
}

function middle(range: [number | string, number | string]): number {
  const low = real(range[0]), high = real(range[1]);
  return Number.isFinite(low) && Number.isFinite(high) ? (low + high) / 2 : 0;
}
