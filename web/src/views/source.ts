// Source beside assembly: each line of the source with the instructions of the loop that were made of it.
import { type Region, cycles } from "../document";
import { h, scroller, section } from "../dom";
import type { Highlight } from "../highlight";

const LEAST = 0.005;

interface Group {
  place: string;
  line: number;
  rows: number[];
}

/** `text`: of the source file, where the page has it. */
export function source(region: Region, highlight: Highlight, text: string | null): HTMLElement | null {
  const groups = grouped(region);
  const rows = region.view.table?.rows;
  if (groups.length === 0 || !rows) return null;
  const lines = text?.split("\n") ?? [];
  const known = text !== null || Object.keys(region.view.source).length > 0;
  const stalls = region.simulated?.stalls_by_instruction ?? [];
  const body = groups.map((group) => {
    const blamed = group.rows.reduce((sum, index) => sum + (stalls[index] ?? 0), 0);
    const code = h("td", { class: "code" });
    for (const index of group.rows) {
      const line = h("div", {}, h("span", { class: "soft" }, `${rows[index]?.name ?? ""}  `), rows[index]?.text ?? "");
      highlight.attach(line, index);
      highlight.follow((lit) => line.classList.toggle("lit", lit === index));
      code.append(line);
    }
    const shown = lines[group.line - 1]?.trim() ?? region.view.source[group.place];
    return h(
      "tr",
      {},
      h("td", { class: "number soft" }, text === null ? group.place : String(group.line)),
      known ? h("td", { class: "code source" }, shown ?? "") : null,
      h("td", { class: "number" }, blamed >= LEAST ? cycles(blamed) : ""),
      code,
    );
  });
  const names = known ? ["line", "source", "stall", "instructions"] : ["line", "stall", "instructions"];
  const head = names.map((name) => h("th", { scope: "col", class: name === "line" || name === "stall" ? "number" : "" }, name));
  return section(
    "source",
    "Source",
    "Source beside assembly",
    "Stall: simulated cycles per iteration that the core waited for these instructions.",
    scroller("Source beside assembly", "fit", h("table", { class: "listing" }, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...body))),
  );
}

function grouped(region: Region): Group[] {
  const found = new Map<string, Group>();
  region.instructions.forEach((instruction, index) => {
    const place = instruction.source_line;
    if (!place) return;
    const line = Number(place.slice(place.lastIndexOf(":") + 1));
    const group = found.get(place) ?? { place, line, rows: [] };
    group.rows.push(index);
    found.set(place, group);
  });
  return [...found.values()].sort((a, b) => a.line - b.line);
}
