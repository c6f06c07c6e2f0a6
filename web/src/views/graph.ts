// The dependency graph. The loop-carried path is lit; the critical path is drawn strong. Places come with the document.
import { type Graph, type Region, cycles } from "../document";
import { fresh, h, s, scroller, section } from "../dom";
import type { Highlight } from "../highlight";
import { roving } from "../roving";
import { explain } from "../tooltip";

const MOST_LABELS = 60;

export function graph(region: Region, highlight: Highlight): HTMLElement | null {
  const found = region.view.graph;
  if (!found) return null;
  return section(
    "graph",
    "Dependencies",
    "Dependencies",
    "Numbers are cycles. Dashed arrows lead into a later iteration.",
    h(
      "ul",
      { class: "keys" },
      h("li", {}, line("carried"), "slowest loop-carried chain (LCD)"),
      h("li", {}, line("critical"), "critical path (CP)"),
    ),
    scroller("Dependency graph", "graph", drawing(region, found, highlight)),
    chains(region),
  );
}

function line(kind: string): SVGSVGElement {
  return s("svg", { width: 26, height: 10, class: "key", "aria-hidden": "true" }, s("path", { d: "M0 5h26", class: `arrow ${kind}` }));
}

function kindOf(item: { critical: boolean; carried: boolean }): string {
  return item.carried ? "carried" : item.critical ? "critical" : "other";
}

function drawing(region: Region, found: Graph, highlight: Highlight): SVGSVGElement {
  const { width, height } = found;
  const prefix = fresh("arrow");
  const out = s("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "Dependency graph" });
  const defs = s("defs");
  for (const kind of ["other", "critical", "carried"]) {
    defs.append(
      s(
        "marker",
        { id: `${prefix}-${kind}`, viewBox: "0 0 8 8", refX: 7.5, refY: 4, markerWidth: 7, markerHeight: 7, markerUnits: "userSpaceOnUse", orient: "auto" },
        s("path", { d: "M0 0L8 4L0 8z", class: `head ${kind}` }),
      ),
    );
  }
  out.append(defs);
  out.style.width = `min(100%, ${width}px)`;
  out.style.minWidth = `${Math.round(0.72 * width)}px`;
  const order = { other: 0, critical: 1, carried: 2 } as Record<string, number>;
  const arrows = [...found.arrows].sort((a, b) => (order[kindOf(a)] ?? 0) - (order[kindOf(b)] ?? 0));
  const labels = s("g", { class: "labels" });
  for (const arrow of arrows) {
    const kind = kindOf(arrow);
    const path = s("path", { d: arrow.path, class: `arrow ${kind}${arrow.distance ? " later" : ""}`, "marker-end": `url(#${prefix}-${kind})` });
    explain(path, () => [["dependency", arrow.words], ["on", paths(arrow)]]);
    highlight.follow((lit) => {
      path.classList.toggle("lit", lit !== null && (arrow.producer === lit || arrow.consumer === lit));
    });
    out.append(path);
    if (arrow.label && (kind !== "other" || found.arrows.length <= MOST_LABELS)) {
      labels.append(s("text", { x: arrow.x, y: arrow.y, class: kind }, arrow.label));
    }
  }
  out.append(labels);
  const boxes: SVGGElement[] = [];
  found.nodes.forEach((node, index) => {
    const kind = kindOf(node);
    const unknown = region.instructions[index]?.status === "unknown";
    const badge = [node.critical ? "CP" : "", node.carried ? "LCD" : ""].filter(Boolean).join(" ");
    const group = s(
      "g",
      { class: `node ${kind}${unknown ? " unknown" : ""}`, role: "button", tabindex: 0, "data-i": index },
      s("rect", { x: node.x, y: node.y, width: found.node_width, height: found.node_height, rx: 4 }),
      s("text", { x: node.x + 8, y: node.y + 16, "xml:space": "preserve" }, node.label),
    );
    if (badge) {
      group.append(s("text", { x: node.x + found.node_width - 4, y: node.y - 3, class: "badge", "text-anchor": "end" }, ` ${badge}`));
    }
    const instruction = region.instructions[index];
    if (instruction) explain(group, () => [["instruction", instruction.text], ["form", instruction.form], ["latency", region.view.table?.rows[index]?.latency]]);
    highlight.attach(group, index);
    highlight.follow((lit) => {
      group.classList.toggle("lit", lit === index);
      out.classList.toggle("dim", lit !== null);
    });
    group.addEventListener("click", () => reveal(out, index));
    group.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        reveal(out, index);
      }
    });
    out.append(group);
    boxes.push(group);
  });
  roving(boxes);
  return out;
}

/** Goes to the instruction's row in the table of the same report. */
function reveal(from: Element, index: number): void {
  const row = from.closest(".report")?.querySelector<HTMLElement>(`.ports tr[data-i="${index}"]`);
  row?.scrollIntoView({ block: "center" });
  row?.focus();
}

function paths(arrow: { critical: boolean; carried: boolean }): string {
  return [arrow.carried ? "slowest loop-carried chain" : "", arrow.critical ? "critical path" : ""].filter(Boolean).join(", ");
}

function chains(region: Region): HTMLElement {
  if (region.loop_carried.length === 0) return h("p", { class: "note" }, "No loop-carried dependency.");
  const shown = region.loop_carried.slice(0, 8);
  const rows = region.view.table?.rows ?? [];
  const items = shown.map((chain) => {
    const steps = chain.instructions.map((index, place) => {
      const amount = chain.instruction_cycles[place] ?? 0;
      return `${rows[index]?.name ?? index} (${Number(amount.toFixed(2))})`;
    });
    const span = chain.distance > 1 ? ` over ${chain.distance} iterations` : "";
    return h("li", {}, h("b", {}, cycles(chain.cycles)), ` cycles${span}: ${region.view.noun} ${steps.join(" → ")}`);
  });
  const more = region.loop_carried.length - shown.length;
  return h(
    "details",
    { class: "chains" },
    h("summary", {}, `Loop-carried dependencies (${region.loop_carried.length})`),
    h("ol", {}, ...items),
    more > 0 ? h("p", { class: "note" }, `and ${more} more`) : null,
  );
}
