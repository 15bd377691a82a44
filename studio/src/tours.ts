// Guided tours of the papers' worked examples.

import { fill, h } from "./dom";
import type { Link } from "./link";
import { TreePanel, type Shows } from "./treepanel";
import type { Frame, Said, Tour } from "./types";

export class ToursTab {
  readonly element: HTMLElement;
  readonly panel: TreePanel;
  private text = h("div", { class: "sentence", "aria-live": "polite" });
  private steps = h("ol", { class: "stops", "aria-label": "Steps of the tour" });
  private body: HTMLElement;
  private tour: Tour | null = null;
  private at = 0;

  constructor(private link: Link, private tours: Tour[], private shows: Shows) {
    this.panel = new TreePanel(link, "tour", shows, { asks: false });
    this.body = h("div", { hidden: true },
      h("div", { class: "buttons" },
        h("button", { click: () => void this.go(this.at - 1) }, "Back"),
        h("button", { class: "primary", click: () => void this.go(this.at + 1) }, "Next")),
      this.text, this.panel.element, this.steps);
    this.element = h("div", {},
      h("div", { class: "tours" }, ...this.tours.map((tour) =>
        h("button", { class: "card tour", click: () => void this.begin(tour) }, h("strong", {}, tour.title), h("span", { class: "dim" }, tour.paper)))),
      this.body);
  }

  private async begin(tour: Tour): Promise<void> {
    try {
      this.tour = tour;
      this.panel.clear();
      this.body.hidden = false;
      this.tell((await this.link.ask("tour", { name: tour.name })) as Said);
      this.panel.watch();
    } catch (error) {
      this.shows.fail(error);
    }
  }

  private async go(stop: number): Promise<void> {
    if (!this.tour || stop < 0 || stop >= this.tour.stops.length) return;
    try {
      this.tell((await this.link.ask("stop", { stop })) as Said);
    } catch (error) {
      this.shows.fail(error);
    }
  }

  private tell(said: Said): void {
    this.at = said.stop ?? 0;
    const tour = this.tour!;
    fill(this.text, h("p", {}, h("strong", {}, `${this.at + 1} of ${tour.stops.length}. `), said.text ?? ""),
      said.why && said.step !== 1 ? h("p", { class: "dim" }, `Why ${said.line ?? ""} was expanded: ${said.why}`) : null);
    fill(this.steps, ...tour.stops.map((text, n) => h("li", {},
      h("button", { class: n === this.at ? "link here" : "link", "aria-current": n === this.at ? "step" : null, click: () => void this.go(n) }, text))));
  }

  show(frame: Frame): void {
    this.panel.show(frame);
  }
}
