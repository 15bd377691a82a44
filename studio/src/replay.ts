// The growth of a tree again, expansion by expansion, both ways.

import { fill, h } from "./dom";
import type { Link } from "./link";
import { TreePanel, type Shows } from "./treepanel";
import type { Frame, Said } from "./types";

export class ReplayTab {
  readonly element: HTMLElement;
  readonly panel: TreePanel;
  private slider = h("input", { type: "range", min: 1, max: 1, value: 1, "aria-label": "Expansion" });
  private speed = h("select", { "aria-label": "Speed" }, ...[["1", "1 a second"], ["4", "4 a second"], ["15", "15 a second"], ["100", "100 a second"]]
    .map(([value, text]) => h("option", { value: value! }, text)));
  private play = h("button", { class: "primary", click: () => this.toggle() }, "Play");
  private said = h("div", { class: "sentence", "aria-live": "polite" });
  private where = h("output", {});
  private timer = 0;
  private busy = false;
  private wanted: number | null = null;
  private step = 1;
  private of = 0;

  constructor(private link: Link, private shows: Shows) {
    this.panel = new TreePanel(link, "replay", shows, { asks: false });
    this.speed.value = "4";
    this.slider.addEventListener("input", () => { this.stop(); void this.seek(Number(this.slider.value)); });
    this.element = h("div", {},
      h("div", { class: "buttons" },
        h("button", { click: () => void this.load() }, "Replay this search"),
        h("button", { "aria-label": "First expansion", click: () => void this.seek(1) }, "|◀"),
        h("button", { "aria-label": "One expansion back", click: () => void this.seek(this.step - 1) }, "◀"),
        this.play,
        h("button", { "aria-label": "One expansion on", click: () => void this.seek(this.step + 1) }, "▶"),
        h("button", { "aria-label": "Last expansion", click: () => void this.seek(this.of) }, "▶|"),
        h("label", {}, "Speed ", this.speed)),
      h("div", { class: "scrub" }, this.slider, this.where), this.said, this.panel.element);
    fill(this.said, h("p", { class: "empty" }, "Search a position, then replay the search: every step says which leaf was chosen, and why."));
  }

  async load(): Promise<void> {
    this.stop();
    try {
      const { of } = (await this.link.ask("replay", { lane: "main" })) as { of: number };
      this.of = of;
      this.slider.max = String(of);
      this.panel.clear();
      await this.seek(1);
    } catch (error) {
      this.shows.fail(error);
    }
  }

  /** Seeks one after the other; of several that wait, only the last counts. */
  async seek(step: number): Promise<void> {
    if (!this.of) return;
    this.wanted = Math.min(this.of, Math.max(1, step));
    if (this.busy) return;
    this.busy = true;
    try {
      while (this.wanted !== null) {
        const next: number = this.wanted;
        this.wanted = null;
        this.tell((await this.link.ask("seek", { step: next })) as Said);
      }
    } catch (error) {
      this.stop();
      this.shows.fail(error);
    } finally {
      this.busy = false;
    }
  }

  private tell(said: Said): void {
    this.step = said.step ?? 1;
    this.slider.value = String(this.step);
    this.where.textContent = `${this.step} of ${this.of}`;
    fill(this.said,
      h("p", {}, h("strong", {}, `Expansion ${this.step}: ${said.line ?? ""}. `), said.why ?? ""), h("p", { class: "dim" }, said.change ?? ""));
  }

  private toggle(): void {
    if (this.timer) { this.stop(); return; }
    if (!this.of) return;
    this.play.textContent = "Pause";
    const tick = () => {
      const rate = Number(this.speed.value);
      if (this.step >= this.of) { this.stop(); return; }
      if (!this.busy) void this.seek(this.step + Math.max(1, Math.round(rate / 15)));
      this.timer = window.setTimeout(tick, 1000 / Math.min(rate, 15));
    };
    tick();
  }

  private stop(): void {
    clearTimeout(this.timer);
    this.timer = 0;
    this.play.textContent = "Play";
  }

  show(frame: Frame): void {
    this.panel.show(frame);
    const leaf = frame.head.replay?.leaf;
    if (leaf) this.panel.icicle.mark([leaf]);
  }
}
