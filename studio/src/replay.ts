// The growth of a tree again, expansion by expansion, both ways.

import { fill, h } from "./dom";
import type { Link } from "./link";
import { Scrubber } from "./scrub";
import { TreePanel, type Shows } from "./treepanel";
import type { Frame, Said } from "./types";

export class ReplayTab {
  readonly element: HTMLElement;
  readonly panel: TreePanel;
  private said = h("div", { class: "sentence", "aria-live": "polite" });
  private scrub: Scrubber;

  constructor(private link: Link, private shows: Shows) {
    this.panel = new TreePanel(link, "replay", shows, { asks: false });
    this.scrub = new Scrubber(
      async (step) => tellStep(this.said, (await this.link.ask("seek", { step })) as Said), (error) => this.shows.fail(error));
    this.element = h("div", {},
      h("div", { class: "buttons" }, h("button", { click: () => void this.load() }, "Replay this search")),
      this.scrub.element, this.said, this.panel.element);
    fill(this.said, h("p", { class: "empty" }, "Search a position, then replay the search: every step says which leaf was chosen, and why."));
  }

  async load(): Promise<void> {
    this.scrub.stop();
    try {
      const { of } = (await this.link.ask("replay", { lane: "main" })) as { of: number };
      this.scrub.set(of);
      this.panel.clear();
      await this.scrub.seek(1);
    } catch (error) {
      this.shows.fail(error);
    }
  }

  show(frame: Frame): void {
    this.panel.show(frame);
    const leaf = frame.head.replay?.leaf;
    if (leaf) this.panel.icicle.mark([leaf]);
  }
}

/** One step in words: which leaf, why, and what it changed. */
export function tellStep(where: Element, said: Said): void {
  fill(where,
    h("p", {}, h("strong", {}, `Expansion ${said.step ?? 1}: ${said.line ?? ""}. `), said.why ?? ""), h("p", { class: "dim" }, said.change ?? ""));
}
