// A tree to look at: the whole above, the nodes around the selected one below, and what can be asked of it.

import { fill, h, number } from "./dom";
import { Icicle } from "./icicle";
import type { Link } from "./link";
import { Nodes } from "./nodes";
import { withNodes, type Frame, type Picture } from "./types";

interface Mark { path: number[]; line: string[]; said: string }
export interface Shows { board(picture: Picture | null, line: string[]): void; fail(error: unknown): void }

export class TreePanel {
  readonly element: HTMLElement;
  readonly icicle: Icicle;
  readonly nodes: Nodes;
  frame: Frame | null = null;
  onSelect: (path: number[]) => void = () => {};
  private said = h("div", { class: "answer", "aria-live": "polite" });
  private root = "";
  private doubts = this.button("Doubts", () => this.mark("doubts"));

  constructor(private link: Link, private lane: string, private shows: Shows, { asks = true, nodes = true } = {}) {
    this.icicle = new Icicle({
      view: (left, right) => void this.link.ask("view", { lane: this.lane, left, right }).catch(() => {}),
      select: (path) => void this.select(path),
    });
    this.nodes = new Nodes((path) => void this.select(path), this.icicle.scale);
    this.doubts.hidden = true;
    const buttons = h("div", { class: "buttons", role: "group", "aria-label": "Ask the tree" },
      this.button("Principal line", () => this.mark("principal")),
      this.button("Conspirators", () => this.mark("conspirators")),
      this.button("The rule’s path", () => this.mark("least")),
      this.doubts,
      this.button("Why not this move?", () => this.why()),
      this.button("Whole tree", () => this.icicle.reset()),
    );
    this.element = h("div", { class: "tree blank" }, this.icicle.element, asks && buttons, asks && this.said, nodes && this.nodes.element);
    this.nodes.clear();
  }

  private button(text: string, click: () => void): HTMLElement {
    return h("button", { type: "button", click }, text);
  }

  show(frame: Frame): void {
    const { head } = frame;
    if (head.root !== this.root) {
      this.root = head.root;
      this.icicle.clear();
      fill(this.said);
    }
    withNodes(head, this.frame?.head);
    this.frame = frame;
    this.element.classList.remove("blank");
    this.doubts.hidden = !head.doubts;
    if (frame.blocks) this.icicle.show(frame);
    this.icicle.describe(`The whole tree: ${head.nodes ?? 0} nodes, value ${number(head.value)}. Arrow keys move, plus and minus zoom.`);
    this.nodes.show(head);
  }

  clear(why?: string): void {
    this.frame = null;
    this.root = "";
    this.element.classList.add("blank");
    this.icicle.clear();
    this.nodes.clear(why);
    fill(this.said);
  }

  watch(): void {
    void this.link.ask("view", { lane: this.lane, left: 0, right: 1 }).catch(() => {});
  }

  async select(path: number[]): Promise<void> {
    try {
      const said = (await this.link.ask("select", { lane: this.lane, path })) as { board?: Picture; line?: string[] };
      this.shows.board(path.length ? (said.board ?? null) : null, said.line ?? []);
      this.onSelect(path);
    } catch (error) {
      this.shows.fail(error);
    }
  }

  async mark(kind: string): Promise<void> {
    try {
      const marks = (await this.link.ask("marks", { lane: this.lane, kind })) as Mark[];
      this.icicle.mark(marks.map((mark) => mark.path));
      fill(this.said, h("h3", {}, TITLES[kind] ?? kind),
        h("ul", { class: "lines" }, ...marks.slice(0, 12).map((mark) =>
          h("li", {}, h("button", { class: "link", click: () => void this.select(mark.path) }, mark.line.join(" ") || "the root"),
            h("span", { class: "dim" }, ` ${mark.said}`)))),
        marks.length > 12 ? h("p", { class: "dim" }, `and ${marks.length - 12} more`) : null);
    } catch (error) {
      this.shows.fail(error);
    }
  }

  async why(): Promise<void> {
    const path = this.frame?.head.node?.path ?? [];
    try {
      const said = (await this.link.ask("why", { lane: this.lane, path })) as string[];
      fill(this.said, h("h3", {}, "Why not this move?"), ...said.map((line) => h("p", {}, line)));
    } catch (error) {
      this.shows.fail(error);
    }
  }
}

const TITLES: Record<string, string> = {
  principal: "The principal line", conspirators: "Conspirators", least: "Where the rule’s numbers point", doubts: "Doubts",
};
