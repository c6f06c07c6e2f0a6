// What a column says first: the figure, how sure it is, and what sets it.
import { type Region, type Report, cycles } from "../document";
import { h, s } from "../dom";
import { textures } from "../patterns";

const BAR = 100;

/** The largest figure that the bars of several summaries have to show: they share one scale. */
export function scaleOf(regions: Region[]): number {
  return Math.max(
    0.01,
    ...regions.map((region) =>
      Math.max(
        region.cycles_per_iteration ?? 0,
        region.interval?.high ?? 0,
        ...(region.view.bounds ?? []).filter((bound) => !bound.estimate).map((bound) => bound.cycles),
      ),
    ),
  );
}

/** Rows of a summary card; cards beside each other align them. */
export function summaryRows(report: Report, region: Region, scale: number): HTMLElement[] {
  const { view } = region;
  if (region.withheld) {
    return [
      h("p", { class: "figure none" }, "No forecast"),
      h("p", { class: "cause" }, view.withheld),
      h("div"),
      h("p", { class: "rates" }),
    ];
  }
  const figure = h(
    "p",
    { class: region.lower_bound ? "figure doubtful" : "figure" },
    region.lower_bound ? h("span", { class: "prefix" }, "at least ") : null,
    h("strong", {}, cycles(region.cycles_per_iteration ?? 0)),
    h("span", { class: "unit" }, "cycles per iteration"),
  );
  const cause = h(
    "div",
    { class: "cause" },
    h("p", {}, "Bound by ", h("b", {}, view.bottleneck ?? "")),
    view.dependence ? h("p", { class: "doubt" }, view.dependence) : null,
    ...(view.alternatives ?? []).map((words) => h("p", { class: "soft" }, words)),
    view.time ? h("p", { class: "soft" }, view.time) : null,
  );
  const rates = h(
    "p",
    { class: "rates" },
    ...(view.rates ?? []).flatMap((rate) => [h("span", {}, h("b", {}, rate.value), ` ${rate.words}`)]),
  );
  return [figure, cause, bars(report, region, scale), rates];
}

function bars(report: Report, region: Region, scale: number): HTMLElement {
  const { view } = region;
  const list = h("ul", { class: "bars", "aria-label": `Bounds on ${report.cpu_title}` });
  const name = view.method?.startsWith("simulated") ? "Simulated" : "Forecast";
  list.append(bar(name, region.cycles_per_iteration ?? 0, scale, "main", region.interval, view.interval ?? ""));
  for (const bound of view.bounds ?? []) {
    if (bound.estimate) continue;
    const classes = bound.name === region.bottleneck ? "binding" : "";
    list.append(bar(capital(bound.words), bound.cycles, scale, classes, null, ""));
  }
  return list;
}

function bar(
  name: string,
  value: number,
  scale: number,
  classes: string,
  interval: Region["interval"],
  words: string,
): HTMLElement {
  const x = (amount: number): number => (Math.min(amount, scale) / scale) * BAR;
  const { defs, fill } = textures();
  const drawing = s(
    "svg",
    { viewBox: `0 0 ${BAR} 10`, preserveAspectRatio: "none", "aria-hidden": "true" },
    defs,
    s("rect", { x: 0, y: 3, width: BAR, height: 4, class: "track" }),
    s("rect", { x: 0, y: 3, width: Math.max(0.4, x(value)), height: 4, class: "value" }),
  );
  if (interval) {
    const width = Math.max(0.8, x(interval.high) - x(interval.low));
    drawing.append(s("rect", { x: x(interval.low), y: 0, width, height: 10, fill: fill("lines"), class: "interval" }));
  }
  return h(
    "li",
    { class: classes },
    h("span", { class: "name" }, name),
    drawing,
    h("span", { class: "number" }, cycles(value)),
    words ? h("span", { class: "soft whisker" }, `90 % interval ${words}`) : null,
  );
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
