// The list of moves, with branches.

import { fill, h, number } from "./dom";
import type { State } from "./types";

export class MoveList {
  readonly element = h("ol", { class: "moves", "aria-label": "Moves" });
  onGo: (step: number) => void = () => {};

  show(state: State): void {
    const children: number[][] = state.steps.map(() => []);
    state.steps.forEach((step, n) => { if (step.parent !== null) children[step.parent]!.push(n); });
    fill(this.element, this.item(state, 0, 0), ...this.line(state, children, 0, 0));
    this.element.querySelector(".here")?.scrollIntoView({ block: "nearest" });
  }

  /** The first child of each move goes on; the others are branches, each in a list of its own. */
  private line(state: State, children: number[][], from: number, ply: number): HTMLElement[] {
    const items: HTMLElement[] = [];
    let at = from;
    while (children[at]!.length) {
      const [first, ...others] = children[at]!;
      ply += 1;
      items.push(this.item(state, first!, ply));
      for (const other of others)
        items.push(h("li", { class: "branch" }, h("ol", {}, this.item(state, other, ply), ...this.line(state, children, other, ply))));
      at = first!;
    }
    return items;
  }

  private item(state: State, n: number, ply: number): HTMLElement {
    const step = state.steps[n]!;
    const value = step.value === null ? "" : ` ${number(step.value)}`;
    return h("li", {},
      h("button", {
        class: n === state.current ? "step here" : "step", click: () => this.onGo(n),
        "aria-current": n === state.current ? "step" : null,
      }, n === 0 ? "start" : `${ply}. ${step.name}`, value ? h("span", { class: "dim" }, value) : null));
  }
}
