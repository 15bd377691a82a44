// Small helpers for elements. Text is always set as text, never as HTML.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: never) => void)>;

export function h<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  set(element, attributes);
  add(element, children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

export function s(name: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS(SVG, name);
  set(element, attributes);
  add(element, children);
  return element;
}

function set(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

function add(element: Element, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child);
  }
}

export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  add(element, children);
}

/** A picture that the server drew: parsed as SVG, and without anything that could run. */
export function picture(text: string): SVGElement | null {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (parsed.nodeName !== "svg") return null;
  for (const element of parsed.querySelectorAll("script, foreignObject, style, a, image, use")) element.remove();
  for (const element of [parsed, ...parsed.querySelectorAll("*")]) {
    for (const { name } of [...element.attributes]) if (name.toLowerCase().startsWith("on")) element.removeAttribute(name);
  }
  return document.importNode(parsed, true) as unknown as SVGElement;
}

export function number(value: unknown): string {
  if (value === "inf" || value === Infinity) return "∞";
  if (value === "-inf" || value === -Infinity) return "−∞";
  if (typeof value !== "number" || Number.isNaN(value)) return value === null || value === undefined ? "–" : String(value);
  const text = Number.isInteger(value) && Math.abs(value) < 1e7 ? String(value) : String(Number(value.toPrecision(4)));
  return text.replace("-", "−");
}

export function real(value: unknown): number {
  if (value === "inf") return Infinity;
  if (value === "-inf") return -Infinity;
  return typeof value === "number" ? value : NaN;
}

export function count(value: number): string {
  return value.toLocaleString("en-US").replaceAll(",", "\u2009");
}
