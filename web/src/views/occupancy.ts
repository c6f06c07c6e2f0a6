// How full queue, scheduler and reorder buffer are, and which ports start a micro-op, cycle by cycle.
import type { Region, Timeline } from "../document";
import { h, s, section } from "../dom";
import { type Facts, hideFacts, showFacts } from "../tooltip";

const NAMES: Record<string, string> = {
  uop_queue: "µop queue",
  scheduler: "scheduler",
  reorder_buffer: "reorder buffer",
  load_queue: "load queue",
  store_queue: "store queue",
};
const LEFT = 118;
const RIGHT = 74;
const HEIGHT = 34;
const GAP = 10;
const PORT_HEIGHT = 13;

export function occupancy(region: Region): HTMLElement | null {
  const data = region.simulated?.timeline;
  if (!data || data.cycles.length < 2) return null;
  const names = Object.keys(NAMES).filter(
    (name) => data.capacities[name] != null || data.cycles.some((cycle) => (cycle.occupancy[name] ?? 0) > 0),
  );
  const used = new Set(data.cycles.flatMap((cycle) => cycle.started));
  const order = (region.view.table?.columns ?? []).flatMap((column) => column.ports);
  const ports = order.filter((port) => used.has(port));
  const box = h("div", { class: "chart" });
  const seen = new ResizeObserver(() => box.replaceChildren(draw(data, names, ports, box.clientWidth)));
  seen.observe(box);
  return section(
    "occupancy",
    "Occupancy",
    "Occupancy",
    "Entries taken at the end of each cycle, of how many (0 to the top line); below, the ports that start a micro-op.",
    box,
  );
}

function draw(data: Timeline, names: string[], ports: string[], total: number): SVGSVGElement {
  const width = Math.max(120, total - LEFT - RIGHT);
  const count = data.cycles.length;
  const x = (number: number): number => LEFT + (number / count) * width;
  const portsTop = names.length * (HEIGHT + GAP) + 6;
  const height = portsTop + ports.length * PORT_HEIGHT + 24;
  const drawing = s("svg", { width: Math.max(total, 1), height, role: "img", "aria-label": summary(data, names) });
  names.forEach((name, place) => drawing.append(...curve(data, name, place * (HEIGHT + GAP) + 4, x, width)));
  ports.forEach((port, place) => {
    const y = portsTop + place * PORT_HEIGHT;
    drawing.append(s("text", { x: LEFT - 8, y: y + 10, class: "axis", "text-anchor": "end" }, `port ${port}`));
    drawing.append(s("rect", { x: LEFT, y: y + 1, width, height: PORT_HEIGHT - 3, class: "track" }));
    data.cycles.forEach((cycle, number) => {
      if (!cycle.started.includes(port)) return;
      const bar = { x: x(number), y: y + 1, width: Math.max(0.5, width / count - 0.6), height: PORT_HEIGHT - 3 };
      drawing.append(s("rect", { ...bar, class: "started" }));
    });
  });
  const step = Math.max(1, Math.ceil(count / 8));
  for (let number = 0; number < count; number += step) {
    drawing.append(s("text", { x: x(number), y: height - 6, class: "axis" }, String(data.first_cycle + number)));
  }
  drawing.append(s("text", { x: LEFT - 8, y: height - 6, class: "axis", "text-anchor": "end" }, "cycle"));
  const cursor = s("line", { y1: 0, y2: height - 18, class: "cursor", visibility: "hidden" });
  drawing.append(cursor);
  drawing.addEventListener("pointermove", (event) => {
    const number = Math.floor(((event.clientX - drawing.getBoundingClientRect().left - LEFT) / width) * count);
    const cycle = data.cycles[number];
    if (!cycle) return hide(cursor);
    cursor.setAttribute("x1", String(x(number + 0.5)));
    cursor.setAttribute("x2", String(x(number + 0.5)));
    cursor.setAttribute("visibility", "visible");
    const facts: Facts = [
      ["cycle", data.first_cycle + number],
      ...names.map((name): [string, string] => [NAMES[name] ?? name, amount(data, name, cycle.occupancy[name] ?? 0)]),
      ["ports", cycle.started.join(", ") || "none"],
    ];
    showFacts(facts, event.clientX, event.clientY);
  });
  drawing.addEventListener("pointerleave", () => hide(cursor));
  return drawing;
}

function hide(cursor: SVGLineElement): void {
  cursor.setAttribute("visibility", "hidden");
  hideFacts();
}

function most(data: Timeline, name: string): number {
  return Math.max(...data.cycles.map((cycle) => cycle.occupancy[name] ?? 0));
}

function amount(data: Timeline, name: string, value: number): string {
  const capacity = data.capacities[name];
  return capacity == null ? String(value) : `${value} of ${capacity}`;
}

function summary(data: Timeline, names: string[]): string {
  return `Occupancy over ${data.cycles.length} cycles. ` +
    names.map((name) => `${NAMES[name]}: at most ${amount(data, name, most(data, name))}`).join("; ");
}

function curve(data: Timeline, name: string, y: number, x: (n: number) => number, width: number): SVGElement[] {
  const peak = most(data, name);
  const top = data.capacities[name] ?? Math.max(1, peak);
  const level = (value: number): number => y + HEIGHT * (1 - Math.min(1, value / top));
  let line = "";
  data.cycles.forEach((cycle, number) => {
    const at = level(cycle.occupancy[name] ?? 0).toFixed(1);
    line += `${number ? "L" : "M"}${x(number).toFixed(1)} ${at}L${x(number + 1).toFixed(1)} ${at}`;
  });
  const base = y + HEIGHT;
  const full = data.capacities[name] != null && peak >= top;
  return [
    s("text", { x: LEFT - 8, y: y + HEIGHT / 2 + 4, class: "axis", "text-anchor": "end" }, NAMES[name] ?? name),
    s("line", { x1: LEFT, x2: LEFT + width, y1: y, y2: y, class: full ? "capacity full" : "capacity" }),
    s("path", { d: `${line}L${LEFT + width} ${base}L${LEFT} ${base}Z`, class: "area" }),
    s("path", { d: line, class: "curve" }),
    s("text", { x: LEFT + width + 8, y: y + 10, class: "axis" }, amount(data, name, peak)),
    s("text", { x: LEFT + width + 8, y: y + 23, class: "axis" }, full ? "full" : "at most"),
  ];
}
