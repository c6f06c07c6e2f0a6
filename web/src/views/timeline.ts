// The timeline: a row for each micro-op, its way through the core as bars. It begins at rename of the first one.
import type { Region, Timeline, Uop } from "../document";
import { h, s, scroller, section } from "../dom";
import type { Highlight } from "../highlight";
import { type Texture, textures } from "../patterns";
import { type Facts, explain } from "../tooltip";
import { swatch } from "./reasons";

type Kind = "queue" | "wait" | "busy" | "run" | "done";

const KINDS: Record<Kind, [string, Texture]> = {
  queue: ["on its way to the scheduler", "dots"],
  wait: ["waits for an operand", "lines"],
  busy: ["waits for a port or unit", "cross"],
  run: ["executes", "solid"],
  done: ["done, waits for retirement", "plain"],
};
const ROW = 18;
const TOP = 42;
const PORT = 46;
const CHARACTER = 7.3;
const MOST_ROWS = 600;
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

export function timeline(region: Region, highlight: Highlight): HTMLElement | null {
  const found = region.simulated?.timeline;
  const words = region.view.timeline;
  if (!found || !words) return null;
  const cut = found.uops.length > MOST_ROWS ? `, the first ${MOST_ROWS} of ${found.uops.length} micro-ops` : "";
  const view = new TimelineView(region, found, highlight);
  const button = (label: string, name: string, factor: number): HTMLElement =>
    h("button", { type: "button", class: "small", "aria-label": name, click: () => view.zoom(factor) }, label);
  return section(
    "timeline",
    "Timeline",
    "Timeline",
    `${words.facts}${cut}; Ctrl and wheel zoom. Hover for events and waits.`,
    h(
      "div",
      { class: "tools" },
      button("+", "Zoom in", 1.5),
      button("−", "Zoom out", 1 / 1.5),
      h("button", { type: "button", class: "small", click: () => view.fit() }, "Fit"),
      h(
        "ul",
        { class: "keys" },
        ...Object.values(KINDS).map(([text, texture]) => h("li", {}, swatch(texture), text)),
        h("li", {}, swatch("dense"), "rename held up"),
      ),
    ),
    view.box,
  );
}

class TimelineView {
  readonly box: HTMLElement;
  private readonly uops: Uop[];
  private readonly first: number;
  private readonly last: number;
  private readonly label: number;
  private width = 0;

  constructor(
    private readonly region: Region,
    private readonly data: Timeline,
    private readonly highlight: Highlight,
  ) {
    this.uops = data.uops.slice(0, MOST_ROWS);
    this.first = Math.min(...this.uops.map((uop) => uop.renamed)) - 1;
    this.last = Math.max(...this.uops.map((uop) => uop.retired)) + 1;
    this.label = Math.max(...this.uops.map((uop) => this.name(uop).length), 8) * CHARACTER + 14;
    const text = `Timeline of ${this.uops.length} micro-ops over ${this.last - this.first} cycles`;
    this.box = scroller(text, "timeline");
    this.box.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        this.zoom(event.deltaY < 0 ? 1.25 : 0.8, event.clientX - this.box.getBoundingClientRect().left);
      },
      { passive: false },
    );
    this.box.addEventListener("keydown", (event) => {
      if (event.key === "+" || event.key === "=") this.zoom(1.5);
      else if (event.key === "-") this.zoom(1 / 1.5);
      else if (event.key === "0") this.fit();
    });
    const seen = new ResizeObserver(() => {
      if (this.box.clientWidth > 0) {
        seen.disconnect();
        this.fit();
      }
    });
    seen.observe(this.box);
  }

  private name(uop: Uop): string {
    const row = this.region.view.table?.rows[uop.instruction];
    const text = row?.text ?? "";
    const short = text.length > 30 ? `${text.slice(0, 29)}…` : text;
    return `${uop.iteration}  ${row?.name ?? uop.instruction}${uop.uop ? `.${uop.uop}` : ""}  ${short}`;
  }

  fit(): void {
    const room = this.box.clientWidth - this.label - PORT - 16;
    this.width = Math.max(3, Math.min(16, room / Math.max(1, this.last - this.first)));
    this.draw();
  }

  zoom(factor: number, at = this.box.clientWidth / 2): void {
    const left = this.label + PORT;
    const cycle = (this.box.scrollLeft + at - left) / this.width;
    this.width = Math.max(0.5, Math.min(64, this.width * factor));
    this.draw();
    this.box.scrollLeft = cycle * this.width + left - at;
  }

  private draw(): void {
    const { first, last, width, label } = this;
    const left = label + PORT;
    const height = TOP + this.uops.length * ROW + 6;
    const { defs, fill } = textures();
    const drawing = s("svg", {
      width: left + (last - first) * width + 12,
      height,
      role: "img",
      "aria-label": this.box.getAttribute("aria-label") ?? "Timeline",
    });
    drawing.append(defs);
    const x = (cycle: number): number => left + (cycle - first) * width;
    const step = STEPS.find((each) => each * width >= 44) ?? 2000;
    for (let cycle = Math.ceil(first / step) * step; cycle <= last; cycle += step) {
      drawing.append(s("line", { x1: x(cycle), y1: 16, x2: x(cycle), y2: height, class: "grid" }));
      drawing.append(s("text", { x: x(cycle) + 2, y: 12, class: "axis" }, String(cycle)));
    }
    drawing.append(s("text", { x: 6, y: 34, class: "axis" }, "rename"), s("text", { x: label, y: 12, class: "axis" }, "port"));
    this.drawRename(drawing, x, fill);
    this.uops.forEach((uop, number) => drawing.append(this.row(uop, TOP + number * ROW, x, fill)));
    this.box.replaceChildren(drawing);
  }

  private drawRename(drawing: SVGSVGElement, x: (cycle: number) => number, fill: (texture: Texture) => string): void {
    const words = this.region.view.timeline;
    words?.rename.forEach((cycle, number) => {
      const at = this.data.first_cycle + number;
      if (!cycle.held || at < this.first || at > this.last) return;
      const bar = s("rect", { x: x(at), y: 22, width: Math.max(0.6, this.width - 0.5), height: 14, fill: fill("dense") });
      explain(bar, () => [
        ["cycle", at],
        ["rename", words.reasons[cycle.reason]],
      ]);
      drawing.append(bar);
    });
  }

  private row(uop: Uop, y: number, x: (cycle: number) => number, fill: (texture: Texture) => string): SVGGElement {
    const group = s("g", { class: uop.iteration % 2 ? "uop odd" : "uop" });
    group.append(s("rect", { x: 0, y, width: x(this.last), height: ROW, class: "band" }));
    group.append(s("text", { x: 6, y: y + 13, class: "code", "xml:space": "preserve" }, this.name(uop)));
    group.append(s("text", { x: this.label, y: y + 13, class: "axis" }, uop.eliminated ? "–" : uop.port));
    for (const [kind, from, to] of this.parts(uop)) {
      const bar = { x: x(from), y: y + 3, width: Math.max(0.6, (to - from) * this.width - 0.5), height: ROW - 6 };
      group.append(s("rect", { ...bar, rx: 1.5, fill: fill(KINDS[kind][1]), class: `bar ${kind}` }));
    }
    this.highlight.attach(group, uop.instruction);
    this.highlight.follow((lit) => group.classList.toggle("lit", lit === uop.instruction));
    explain(group, () => this.facts(uop));
    return group;
  }

  private parts(uop: Uop): [Kind, number, number][] {
    const seen = Math.min(uop.renamed + this.data.scheduler_delay, uop.ready);
    const out: [Kind, number, number][] = [];
    if (uop.dispatched > uop.renamed) {
      out.push(["queue", uop.renamed, seen], ["wait", seen, uop.ready], ["busy", uop.ready, uop.dispatched]);
    }
    out.push(["run", uop.dispatched, uop.completed], ["done", uop.completed, uop.retired + 1]);
    return out.filter(([, from, to]) => to > from);
  }

  private facts(uop: Uop): Facts {
    const events = ["delivered", "renamed", "ready", "dispatched", "completed", "retired"] as const;
    return [
      ["micro-op", this.region.view.table?.rows[uop.instruction]?.text],
      ["iteration", uop.iteration],
      ["port", uop.eliminated ? "none: eliminated" : uop.port || "none"],
      ["waits for", this.waitsFor(uop)],
      ...events.map((event): [string, number] => [event, uop[event]]),
    ];
  }

  private waitsFor(uop: Uop): string {
    const parts: string[] = [];
    if (uop.from_instruction !== null) {
      const row = this.region.view.table?.rows[uop.from_instruction];
      const what = uop.waited === "forwarding" ? "stored data of" : "operand from";
      parts.push(`${what} ${this.region.view.noun} ${row?.name}  ${row?.text} (iteration ${uop.from_iteration})`);
    }
    if (uop.resource) parts.push(`${uop.resource === uop.port ? "port" : "unit"} ${uop.resource}`);
    return parts.join("; ") || "nothing";
  }
}
