// `analyze --format html`: the same parts from documents that the file itself holds.
import "./styles/page.css";
import "./styles/report.css";

import { type Report, cycles } from "./document";
import { h } from "./dom";
import { contents, regionView } from "./report-view";
import { themeButton } from "./theme";
import { scaleOf, summaryRows } from "./views/summary";

type Order = [number, (one: Entry, other: Entry) => number];

interface Entry {
  report: Report;
  place: number;
  id: string;
}

function start(): void {
  const root = document.getElementById("app");
  const data = document.getElementById("documents")?.textContent;
  if (!root || !data) return;
  const reports = JSON.parse(data) as Report[];
  const entries = reports.flatMap((report, number) =>
    report.regions.map((_, place): Entry => ({ report, place, id: `r${number}-${place}` })),
  );
  root.replaceChildren(
    h("header", { class: "top" }, h("h1", {}, "corecast"), h("p", { class: "tagline" }, "What a loop costs, and why"), h("div", { class: "actions" }, themeButton())),
    h(
      "main",
      { class: "pages" },
      ...reports.flatMap((report) => [
        h("div", { class: "document" }, h("div", {}, h("h2", { class: "document-title" }, report.title), h("p", { class: "note" }, report.facts)), notices(report)),
      ]),
      entries.length > 1 ? overview(entries) : null,
      ...entries.map((entry, place) => region(entry, place === 0 || entries.length <= 4)),
    ),
  );
}

function notices(report: Report): HTMLElement | null {
  const words = [...report.messages, ...report.warnings];
  return words.length ? h("ul", { class: "notices" }, ...words.map((each) => h("li", {}, each))) : null;
}

function regionAt(entry: Entry): Report["regions"][number] {
  const found = entry.report.regions[entry.place];
  if (!found) throw new Error("no such region");
  return found;
}

/** All loops with their figures; a click on a heading sorts. Columns that would be empty are left out. */
function overview(entries: Entry[]): HTMLElement {
  const value = (entry: Entry): number => regionAt(entry).cycles_per_iteration ?? Number.POSITIVE_INFINITY;
  const rate = (entry: Entry): string => regionAt(entry).view.rates?.[0]?.value ?? "";
  const several = new Set(entries.map((entry) => entry.report.cpu)).size > 1;
  const vectors = entries.some((entry) => regionAt(entry).view.vectors);
  const widest = (entry: Entry): number => Number.parseInt(regionAt(entry).view.vectors, 10) || 0;
  const unknown = entries.some((entry) => regionAt(entry).view.unknown);
  const orders: [string, string, Order[1], (entry: Entry) => string | Node][] = [
    ["Loop", "", (a, b) => regionAt(a).view.name.localeCompare(regionAt(b).view.name), (entry) => link(entry)],
    ...(several ? [["Core", "", (a, b) => a.report.cpu.localeCompare(b.report.cpu), (entry) => entry.report.cpu] as (typeof orders)[number]] : []),
    ["Place", "", (a, b) => entries.indexOf(a) - entries.indexOf(b), (entry) => regionAt(entry).view.place],
    ["Instructions", "number", (a, b) => regionAt(a).instructions.length - regionAt(b).instructions.length, (entry) => String(regionAt(entry).instructions.length)],
    ["Cycles", "number", (a, b) => value(a) - value(b), (entry) => regionAt(entry).view.value],
    ...(vectors ? [["Vectors", "number", (a, b) => widest(a) - widest(b), (entry) => regionAt(entry).view.vectors || "none"] as (typeof orders)[number]] : []),
    ["IPC", "number", (a, b) => Number(rate(a)) - Number(rate(b)), rate],
    ["Bound by", "", (a, b) => (regionAt(a).view.bottleneck ?? "").localeCompare(regionAt(b).view.bottleneck ?? ""), (entry) => regionAt(entry).view.bottleneck ?? ""],
    ...(unknown ? [["Unknown", "", (a, b) => regionAt(a).view.unknown.localeCompare(regionAt(b).view.unknown), (entry) => regionAt(entry).view.unknown] as (typeof orders)[number]] : []),
  ];
  let sorted = entries;
  let by = -1;
  let down = false;
  const body = h("tbody");
  const headings = orders.map(([name, classes], place) =>
    h("th", { scope: "col", class: classes, "aria-sort": "none" }, h("button", { type: "button", class: "link", click: () => sort(place) }, name)),
  );
  const fill = (): void => {
    body.replaceChildren(...sorted.map((entry) => h("tr", {}, ...orders.map(([, classes, , show]) => h("td", { class: classes }, show(entry))))));
  };
  const sort = (place: number): void => {
    const order = orders[place];
    if (!order) return;
    down = place === by ? !down : order[1] === "number";
    by = place;
    sorted = [...entries].sort((a, b) => (down ? order[2](b, a) : order[2](a, b)));
    headings.forEach((node, number) => node.setAttribute("aria-sort", number === place ? (down ? "descending" : "ascending") : "none"));
    fill();
  };
  fill();
  return h("nav", { class: "overview scroll", "aria-label": "Loops", tabindex: 0 }, h("table", { class: "plain" }, h("thead", {}, h("tr", {}, ...headings)), body));
}

function link(entry: Entry): HTMLElement {
  const node = h("a", { href: `#${entry.id}` }, regionAt(entry).view.name);
  node.addEventListener("click", () => {
    const target = document.getElementById(entry.id);
    if (target instanceof HTMLDetailsElement) target.open = true;
  });
  return node;
}

/** A region; its parts are drawn when it is opened, so that a file of hundreds of loops opens quickly. */
function region(entry: Entry, open: boolean): HTMLElement {
  const found = regionAt(entry);
  const value = found.withheld ? "no forecast" : `${found.lower_bound ? "at least " : ""}${cycles(found.cycles_per_iteration ?? 0)} cycles`;
  const node = h(
    "details",
    { class: "region", id: entry.id },
    h("summary", {}, h("h2", {}, found.view.name), h("span", { class: "soft" }, `${value} on ${entry.report.cpu_title}; ${found.view.facts}`)),
  );
  const fill = (): void => {
    if (node.children.length > 1) return;
    const where = `${found.view.name} on ${entry.report.cpu_title}`;
    const { element } = regionView(entry.report, found, null, where);
    const card = h("div", { class: "card" }, h("div", { class: "title" }, h("p", { class: "core" }, entry.report.cpu_title)), ...summaryRows(entry.report, found, scaleOf([found])));
    node.append(h("div", { class: "cards one" }, card), contents(element, where), element);
  };
  node.addEventListener("toggle", () => {
    if (node.open) fill();
  });
  if (open) {
    fill();
    node.open = true;
  }
  return node;
}

start();
