// Making elements. Text is only ever set as text, so that no input can become markup.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: never) => void)>;

const SVG = "http://www.w3.org/2000/svg";

function fill(node: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name, value as EventListener);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined && child !== false) node.append(child);
}

export function h<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(name);
  fill(node, attributes, children);
  return node;
}

export function s<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const node = document.createElementNS(SVG, name);
  fill(node, attributes, children);
  return node;
}

let numbers = 0;

/** An id that nothing else on the page has. */
export function fresh(prefix: string): string {
  return `${prefix}-${++numbers}`;
}

/** A scrolling box that the keyboard can scroll, too. */
export function scroller(label: string, classes: string, ...children: Child[]): HTMLDivElement {
  return h("div", { class: `scroll ${classes}`, tabindex: 0, role: "region", "aria-label": label }, ...children);
}

/** A titled part of a report. */
export function section(key: string, short: string, title: string, note: string, ...children: Child[]): HTMLElement {
  return h(
    "div",
    { class: `part part-${key}`, "data-part": key, "data-short": short },
    h("header", {}, h("h3", { tabindex: -1 }, title), note ? h("p", { class: "note" }, note) : null),
    ...children,
  );
}
