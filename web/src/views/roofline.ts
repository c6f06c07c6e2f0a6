// The loop below the ceilings of its own instruction mix, on logarithmic axes.
import type { Region, Roofline } from "../document";
import { s, section } from "../dom";

const WIDTH = 620;
const HEIGHT = 260;
const LEFT = 54;
const BOTTOM = 40;
const TOP = 24;
const RIGHT = 178;

export function roofline(region: Region): HTMLElement | null {
  const found = region.view.roofline;
  if (!found || !found.flops_per_cycle) return null;
  return section(
    "roofline",
    "Roofline",
    "Roofline",
    "Operations per cycle over operations per byte; the ceilings are those of this loop's instructions.",
    draw(found),
  );
}

function draw(found: Roofline): SVGSVGElement {
  const slopes: [string, number][] = [];
  if (found.l1_bytes_per_cycle) slopes.push(["first-level cache", found.l1_bytes_per_cycle]);
  if (found.memory_bytes_per_cycle) slopes.push(["memory", found.memory_bytes_per_cycle]);
  const roof = found.compute ?? found.flops_per_cycle;
  const ridge = Math.max(...slopes.map(([, slope]) => roof / slope), found.intensity);
  const lowX = 10 ** Math.floor(Math.log10(found.intensity / 4));
  const highX = 10 ** Math.ceil(Math.log10(ridge * 4));
  const highY = 10 ** Math.ceil(Math.log10(roof * 1.5));
  const least = Math.min(found.flops_per_cycle, ...slopes.map(([, slope]) => slope * found.intensity));
  const lowY = 10 ** Math.floor(Math.log10(least / 2));
  const x = (value: number): number => LEFT + ((WIDTH - LEFT - RIGHT) * Math.log(value / lowX)) / Math.log(highX / lowX);
  const y = (value: number): number => TOP + (HEIGHT - TOP - BOTTOM) * (1 - Math.log(value / lowY) / Math.log(highY / lowY));
  const words =
    `${short(found.flops_per_cycle)} operations per cycle at ${short(found.intensity)} operations per byte` +
    (found.compute ? `; compute ceiling ${short(found.compute)}` : "");
  const out = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "roofline", role: "img", "aria-label": `Roofline: ${words}` });
  for (let value = lowX; value <= highX * 1.001; value *= 10) {
    out.append(s("line", { x1: x(value), x2: x(value), y1: TOP, y2: HEIGHT - BOTTOM, class: "grid" }));
    out.append(s("text", { x: x(value), y: HEIGHT - BOTTOM + 15, class: "axis", "text-anchor": "middle" }, short(value)));
  }
  for (let value = lowY; value <= highY * 1.001; value *= 10) {
    out.append(s("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value), class: "grid" }));
    out.append(s("text", { x: LEFT - 6, y: y(value) + 4, class: "axis", "text-anchor": "end" }, short(value)));
  }
  out.append(s("text", { x: LEFT, y: HEIGHT - 6, class: "axis" }, "operations per byte"));
  out.append(s("text", { x: LEFT, y: 12, class: "axis" }, "operations per cycle"));
  const clip = (value: number): number => Math.min(Math.max(value, lowY), highY);
  slopes.forEach(([name, slope], place) => {
    const from = Math.max(lowX, lowY / slope);
    const to = Math.min(highX, (found.compute ?? highY) / slope);
    if (to <= from) return;
    const style = place ? "roof memory" : "roof";
    out.append(s("line", { x1: x(from), y1: y(clip(from * slope)), x2: x(to), y2: y(clip(to * slope)), class: style }));
    const at = y(clip(to * slope)) + (found.compute ? 26 + 14 * place : 4);
    out.append(s("text", { x: WIDTH - RIGHT + 8, y: at, class: "axis" }, `${name} ${short(slope)} B/cycle`));
  });
  if (found.compute) {
    const begin = Math.min(...slopes.map(([, slope]) => roof / slope), highX);
    out.append(s("line", { x1: x(Math.max(lowX, begin)), x2: x(highX), y1: y(roof), y2: y(roof), class: "roof" }));
    out.append(s("text", { x: WIDTH - RIGHT + 8, y: y(roof) + 4, class: "axis" }, `compute ${short(roof)}/cycle`));
  }
  const at = { x: x(found.intensity), y: y(found.flops_per_cycle) };
  out.append(s("line", { x1: at.x, x2: at.x, y1: at.y, y2: HEIGHT - BOTTOM, class: "drop" }));
  out.append(s("circle", { cx: at.x, cy: at.y, r: 5, class: "loop" }));
  out.append(s("text", { x: at.x + 9, y: at.y + 14, class: "value" }, `${short(found.flops_per_cycle)}/cycle`));
  return out;
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}
