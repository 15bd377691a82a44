// A slider with its buttons: through the expansions of one search or of several, both ways, at any speed.

import { h } from "./dom";

const SPEEDS: [string, string][] = [["1", "1 a second"], ["4", "4 a second"], ["15", "15 a second"], ["100", "100 a second"], ["1000", "1000 a second"]];
const MOST_FRAMES = 12;

export class Scrubber {
  readonly element: HTMLElement;
  step = 1;
  private of = 0;
  private slider = h("input", { type: "range", min: 1, max: 1, value: 1, "aria-label": "Expansion" });
  private speed = h("select", { "aria-label": "Speed" }, ...SPEEDS.map(([value, text]) => h("option", { value }, text)));
  private play = h("button", { class: "primary", click: () => this.toggle() }, "Play");
  private where = h("output", {});
  private timer = 0;
  private busy = false;
  private wanted: number | null = null;

  constructor(private show: (step: number) => Promise<void>, private fail: (error: unknown) => void) {
    this.speed.value = "4";
    this.slider.addEventListener("input", () => { this.stop(); void this.seek(Number(this.slider.value)); });
    const button = (label: string, sign: string, to: () => number) =>
      h("button", { "aria-label": label, title: label, click: () => { this.stop(); void this.seek(to()); } }, sign);
    this.element = h("div", { class: "scrubber", hidden: true },
      h("div", { class: "buttons" },
        button("First expansion", "|◀", () => 1), button("One expansion back", "◀", () => this.step - 1), this.play,
        button("One expansion on", "▶", () => this.step + 1), button("Last expansion", "▶|", () => this.of),
        h("label", {}, "Speed ", this.speed)),
      h("div", { class: "scrub" }, this.slider, this.where));
  }

  /** How many there are to go through; nothing is shown yet. */
  set(of: number, step = 1): void {
    this.of = of;
    this.slider.max = String(of);
    this.element.hidden = of < 1;
    this.at(step);
  }

  at(step: number): void {
    this.step = step;
    this.slider.value = String(step);
    this.slider.setAttribute("aria-valuetext", `expansion ${step} of ${this.of}`);
    this.where.textContent = `${step} of ${this.of}`;
  }

  /** Steps one after the other; of several that wait, only the last counts. */
  async seek(step: number): Promise<void> {
    if (!this.of) return;
    this.wanted = Math.min(this.of, Math.max(1, step));
    if (this.busy) return;
    this.busy = true;
    try {
      while (this.wanted !== null) {
        const next: number = this.wanted;
        this.wanted = null;
        await this.show(next);
        this.at(next);
      }
    } catch (error) {
      this.stop();
      this.fail(error);
    } finally {
      this.busy = false;
    }
  }

  private toggle(): void {
    if (this.timer) { this.stop(); return; }
    if (!this.of) return;
    if (this.step >= this.of) this.at(0); // from the beginning
    this.play.textContent = "Pause";
    const tick = () => {
      const rate = Number(this.speed.value);
      if (this.step >= this.of) { this.stop(); return; }
      if (!this.busy) void this.seek(this.step + Math.max(1, Math.round(rate / MOST_FRAMES)));
      this.timer = window.setTimeout(tick, 1000 / Math.min(rate, MOST_FRAMES));
    };
    tick();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = 0;
    this.play.textContent = "Play";
  }
}
