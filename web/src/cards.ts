// Columns beside each other: one card each, aligned row by row, on one scale. One of them is what the report is about.
import type { Info } from "./api";
import type { Column } from "./columns";
import type { Region } from "./document";
import { h } from "./dom";
import type { State } from "./state";
import { scaleOf, summaryRows } from "./views/summary";

const LONGEST = 240;

export function regionOf(column: Column, state: State): Region | null {
  const regions = column.report?.regions ?? [];
  return regions[Math.min(state.region, regions.length - 1)] ?? null;
}

export function cards(columns: Column[], state: State, info: Info, choose: (column: number) => void): HTMLElement {
  const shown = columns.map((column) => regionOf(column, state)).filter((region): region is Region => region !== null);
  const scale = scaleOf(shown);
  const list = columns.map((column, place) => card(column, place, columns.length, state, info, scale, choose));
  const node = h("div", { class: "cards", role: "group", "aria-label": "Results" }, ...list);
  if (columns.length === 1) node.classList.add("one");
  node.style.setProperty("--columns", String(Math.min(3, Math.max(1, columns.length))));
  return node;
}

function card(
  column: Column,
  place: number,
  count: number,
  state: State,
  info: Info,
  scale: number,
  choose: (column: number) => void,
): HTMLElement {
  const core = info.cores.find((each) => each.name === column.core);
  const chosen = place === state.column;
  const title = core?.title ?? column.core;
  const name = h("span", { class: "core" }, title);
  const variant = column.variant === null ? null : state.variants[column.variant];
  const heading = h(
    "h2",
    {},
    count > 1
      ? h("button", { type: "button", class: "choose", id: `column-${place}`, "aria-pressed": String(chosen), click: () => choose(place) }, name)
      : name,
  );
  const under = h(
    "p",
    { class: "soft under" },
    variant ? h("span", { class: "code" }, `${variant.compiler} ${variant.flags}`) : column.core,
  );
  const region = regionOf(column, state);
  const classes = `card${chosen && count > 1 ? " chosen" : ""}${column.pending ? " pending" : ""}`;
  const frame = (...rows: HTMLElement[]): HTMLElement => h("div", { class: classes }, h("div", { class: "title" }, heading, under), ...rows);
  if (column.problem) {
    const where = column.problem.line === null ? "" : `Line ${column.problem.line}: `;
    const { message } = column.problem;
    const words = where + (message.length > LONGEST ? `${message.slice(0, LONGEST)}…` : message);
    return frame(h("p", { class: "problem", title: message }, words));
  }
  if (!column.report || !region) {
    return frame(h("p", { class: "soft" }, column.pending ? "Analyzing…" : "Nothing to analyze."));
  }
  return frame(...summaryRows(column.report, region, scale));
}
