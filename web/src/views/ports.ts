// Instructions with the cycles that they take of each port; the limiting ports stand out, and so does their sum.
import { type Instruction, type Region, type Row, type Table, cycles } from "../document";
import { h, scroller, section } from "../dom";
import type { Highlight } from "../highlight";
import { roving } from "../roving";
import { type Facts, explain } from "../tooltip";

const LEAST = 0.005;

export function ports(region: Region, highlight: Highlight): HTMLElement | null {
  const table = region.view.table;
  if (!table) return null;
  const rows = table.rows.map((row, index) => body(region, table, row, index, highlight));
  roving(rows);
  return section(
    "ports",
    "Ports",
    "Instructions and port pressure",
    note(region, table),
    scroller(
      "Port pressure by instruction",
      "fit",
      h(
        "table",
        { class: "ports" },
        heading(region, table),
        h("tbody", {}, ...rows),
        sums(region, table),
      ),
    ),
    marks(table),
  );
}

function note(region: Region, table: Table): string {
  const parts = ["Cycles per iteration of each port" + (table.uniform ? ", uniform shares" : "")];
  const busiest = region.limiting_ports.join(", ");
  if (busiest) parts.push(table.binding ? `bold: limiting (${busiest})` : `busiest: ${busiest}`);
  if (table.folded) parts.push("folded columns, as 0-3: of each of these ports");
  if (table.unused.length > 0) parts.push(`not used: ${table.unused.join(", ")}`);
  return parts.join("; ") + ".";
}

function marks(table: Table): HTMLElement | null {
  const entries = Object.entries(table.marks);
  if (entries.length === 0) return null;
  return h("p", { class: "note" }, ...entries.flatMap(([letter, words], place) => [place ? "; " : "", h("b", {}, letter), ` ${words}`]));
}

function stalls(region: Region): number[] {
  return region.simulated?.stalls_by_instruction ?? [];
}

function heading(region: Region, table: Table): HTMLElement {
  const number = (label: string, title: string, classes = ""): HTMLElement =>
    h("th", { scope: "col", class: `number ${classes}`, title }, ...breakable(label));
  return h(
    "thead",
    {},
    h(
      "tr",
      {},
      h("th", { scope: "col", class: "number" }, region.view.noun === "line" ? "line" : "address"),
      h("th", { scope: "col" }, "instruction"),
      h("th", { scope: "col" }, h("span", { class: "hidden" }, "marks")),
      number("µops", "fused micro-ops"),
      number("lat", "largest latency in cycles"),
      ...table.columns.map((column) =>
        number(column.label, `port ${column.ports.join(", ")}`, column.limiting && table.binding ? "port limiting" : "port"),
      ),
      number("CP", "cycles on the critical path", "gap"),
      number("LCD", "cycles on the slowest loop-carried dependency"),
      stalls(region).length > 0 ? number("stall", "cycles that the core waited for it") : null,
    ),
  );
}

/** A label that may be broken behind its commas. */
function breakable(label: string): Node[] {
  return label.split(/(?<=,)/).flatMap((part) => [document.createTextNode(part), h("wbr")]);
}

function body(region: Region, table: Table, row: Row, index: number, highlight: Highlight): HTMLElement {
  const instruction = region.instructions[index];
  const unknown = instruction?.status === "unknown";
  const blamed = stalls(region)[index];
  const node = h(
    "tr",
    { class: unknown ? "unknown" : "", "data-i": index, tabindex: 0 },
    h("td", { class: "number soft" }, row.name),
    h("th", { scope: "row", class: "code" }, row.text),
    h("td", { class: "marks soft" }, row.marks),
    h("td", { class: "number soft" }, unknown ? "?" : row.uops),
    h("td", { class: "number soft" }, unknown || row.latency === "unknown" ? "?" : row.latency),
    ...table.columns.map((column, place) => cell(row.cells[place] ?? 0, column.total, column.limiting && table.binding, region)),
    h("td", { class: "number gap" }, row.critical),
    h("td", { class: row.carried ? "number carried" : "number" }, row.carried),
    blamed === undefined ? null : h("td", { class: "number" }, blamed >= LEAST ? cycles(blamed) : ""),
  );
  highlight.attach(node, index);
  highlight.follow((lit) => node.classList.toggle("lit", lit === index));
  if (instruction) explain(node, () => facts(instruction, row));
  return node;
}

/** A cell is as dark as its share of the forecast: the busiest port of a bound loop is darkest. */
function cell(value: number, total: number, limiting: boolean, region: Region): HTMLElement {
  const most = Math.max(region.cycles_per_iteration ?? 0, total, LEAST);
  const node = h("td", { class: `number port${limiting ? " limiting" : ""}` }, value >= LEAST ? cycles(value) : "");
  if (value >= LEAST) node.style.setProperty("--heat", `${Math.round(8 + 62 * Math.min(1, value / most))}%`);
  return node;
}

function sums(region: Region, table: Table): HTMLElement {
  const total = (value: number, limiting: boolean): HTMLElement => {
    const most = Math.max(region.cycles_per_iteration ?? 0, LEAST);
    const node = h("td", { class: `number port${limiting ? " limiting" : ""}` }, cycles(value));
    node.style.setProperty("--heat", `${Math.round(8 + 62 * Math.min(1, value / most))}%`);
    return node;
  };
  return h(
    "tfoot",
    {},
    h(
      "tr",
      {},
      h("td"),
      h("th", { scope: "row" }, "sum"),
      h("td"),
      h("td"),
      h("td"),
      ...table.columns.map((column) => total(column.total, column.limiting && table.binding)),
      h("td", { class: "number gap" }, table.critical),
      h("td", { class: "number" }, table.carried),
      stalls(region).length > 0 ? h("td", { class: "number" }) : null,
    ),
  );
}

function facts(instruction: Instruction, row: Row): Facts {
  const matched = instruction.matched_form === instruction.form ? "" : instruction.matched_form;
  return [
    ["form", instruction.form],
    ["counted as", matched],
    ["status", instruction.status],
    ["micro-ops", row.uops],
    ["latency", row.latency === "unknown" ? row.latency : `${row.latency} cycles`],
    ["data from", instruction.source],
    ["confidence", instruction.confidence],
    ["note", instruction.note],
    ["nearest known", instruction.nearest_forms.join("; ")],
    ["source line", instruction.source_line],
  ];
}
