// One chart with our axes and colours.

import uPlot from "uplot";
import { fill, h, number, real } from "./dom";

export const COLOURS = ["#3b7dd8", "#d9622b", "#2f9e5f", "#a64ca6", "#c9a400", "#1b9aaa", "#d1495b", "#6b705c", "#7f5af0", "#8d6e63"];

export function plot(
  body: HTMLElement, data: uPlot.AlignedData, series: uPlot.Series[], bands: uPlot.Band[] = [], across = "expansions",
): uPlot | null {
  fill(body);
  if ((data[0]?.length ?? 0) < 2) {
    fill(body, h("p", { class: "empty" }, "One picture is not a chart yet."));
    return null;
  }
  const style = getComputedStyle(document.documentElement);
  const axis = { stroke: style.getPropertyValue("--dim").trim(), grid: { stroke: style.getPropertyValue("--line").trim(), width: 1 },
    values: (_: uPlot, ticks: number[]) => ticks.map(compact), font: "11px system-ui" };
  const made = new uPlot({
    width: Math.max(220, body.clientWidth), height: 190, series, bands, axes: [axis, { ...axis, size: 54 }],
    scales: { x: { time: false } }, legend: { show: series.length > 2 || across === "value", live: false }, cursor: { show: true, drag: { x: false, y: false } },
  }, data, body);
  made.root.setAttribute("role", "img");
  made.root.setAttribute("aria-label", `${series.slice(1).map((each) => each.label).join(", ")} against ${across}`);
  return made;
}

export function finite(value: unknown): number | null {
  const n = real(value);
  return Number.isFinite(n) ? n : null;
}

function compact(n: number): string {
  const far = Math.abs(n);
  return far >= 1e6 ? `${number(n / 1e6)}M` : far >= 1e4 ? `${number(n / 1e3)}k` : number(n);
}
