// The view of a tree in a notebook: the same blocks and nodes, with Python at the other end instead of a server.

import { h } from "./dom";
import { Icicle } from "./icicle";
import { Nodes } from "./nodes";
import { readFrame } from "./types";
import "./widget.css";

interface Model {
  on(event: string, listener: (message: Record<string, unknown>, buffers: DataView[]) => void): void;
  send(message: unknown): void;
}

function render({ model, el }: { model: Model; el: HTMLElement }): void {
  const icicle = new Icicle({
    view: (left, right) => model.send({ do: "view", left, right }),
    select: (path) => model.send({ do: "select", path }),
  }, 150, 320);
  const nodes = new Nodes((path) => model.send({ do: "select", path }), icicle.scale);
  const said = h("p", { class: "dim" });
  el.append(h("div", { class: "conspirator-tree" }, said, icicle.element, nodes.element));
  model.on("msg:custom", (message, buffers) => {
    const buffer = buffers[0];
    if (message.push !== "frame" || !buffer) return;
    const data = buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.byteLength) as ArrayBuffer;
    const frame = readFrame(data);
    said.textContent = `${frame.head.rule}: ${frame.head.nodes} nodes; click a block, drag and scroll`;
    icicle.show(frame);
    nodes.show(frame.head);
  });
  model.send({ do: "view", left: 0, right: 1 });
}

export default { render };
