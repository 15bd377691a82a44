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
        items.push(h("li", { class: "branch" }, h("ol", {}, this.item(state, other, ply, true), ...this.line(state, children, other, ply))));
      at = first!;
    }
    return items;
  }

  /** Chess counts the moves of both players as one; the other games count each. */
  private number(state: State, ply: number, first: boolean): string {
    if (state.game !== "chess") return `${ply}. `;
    const fields = state.start.split(" ");
    const half = ply - 1 + (fields[1] === "b" ? 1 : 0), move = (Number(fields[5]) || 1) + Math.floor(half / 2);
    return half % 2 === 0 ? `${move}. ` : first ? `${move}… ` : "";
  }

  private item(state: State, n: number, ply: number, first = false): HTMLElement {
    const step = state.steps[n]!;
    const value = step.value === null ? "" : ` ${number(step.value)}`;
    return h("li", {},
      h("button", {
        class: n === state.current ? "step here" : "step", click: () => this.onGo(n),
        "aria-current": n === state.current ? "step" : null,
      }, n === 0 ? "start" : `${this.number(state, ply, first || ply === 1)}${step.name}`, value ? h("span", { class: "dim" }, value) : null));
  }
}
