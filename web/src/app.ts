// The page of `corecast serve`: keeps the state, asks the server, and draws what it says.
import "./styles/page.css";
import "./styles/app.css";

import { type Info, Problem, info as askInfo } from "./api";
import { cards, regionOf } from "./cards";
import { type Column, Runner } from "./columns";
import { compilers, cores, fittingVariants, languages, options } from "./controls";
import { h } from "./dom";
import type { Costs, Editor } from "./editor";
import { exampleOf, isExample } from "./examples";
import { keepPlace } from "./keep";
import { contents, regionView } from "./report-view";
import { DEFAULTS, type Language, Past, type State, decode, encode } from "./state";
import { themeButton } from "./theme";

/** Milliseconds without a key until what was typed is analyzed. */
const TYPING = 160;

class App {
  private state: State;
  private readonly past = new Past();
  private readonly runner = new Runner(() => this.schedule());
  private readonly drafts = new Map<Language, string>();
  private editor: Editor | null = null;
  private timer = 0;
  private scheduled = false;
  private linked = "";
  private dialect = "";

  private readonly controls = h("div", { class: "controls" });
  private readonly place = h("div", { class: "editor" });
  private readonly work = h("main", { class: "work" });
  private readonly results = h("div", { class: "results" });
  private readonly status = h("p", { class: "hidden", role: "status", "aria-live": "polite" });
  private readonly undoButton = this.button("Undo", "Undo (Ctrl+Z outside of the editor)", () => this.undo());
  private readonly redoButton = this.button("Redo", "Redo (Ctrl+Shift+Z outside of the editor)", () => this.redo());

  constructor(
    private readonly info: Info,
    state: State,
  ) {
    this.state = state;
  }

  async start(root: HTMLElement): Promise<void> {
    const link = this.button("Copy link", "Copy a link that holds code, cores and options", () => this.copyLink(link));
    root.replaceChildren(
      h("a", { class: "skip", href: "#results", click: (event: Event) => this.skip(event) }, "Skip to the results"),
      h(
        "header",
        { class: "top" },
        h("h1", {}, "corecast"),
        h("p", { class: "tagline" }, "What a loop costs, and why"),
        h("div", { class: "actions" }, this.undoButton, this.redoButton, link, themeButton()),
      ),
      this.work,
    );
    this.work.append(
      h("section", { class: "input", "aria-label": "Code and cores" }, this.controls, this.place),
      h("section", { class: "output", id: "results", "aria-label": "Results", tabindex: -1 }, this.status, this.results),
    );
    this.drawControls();
    this.run();
    const { makeEditor } = await import("./editor");
    this.editor = makeEditor({
      parent: this.place,
      text: this.state.code,
      language: this.state.language,
      isa: this.isa(),
      changed: (text, pasted) => this.typed(text, pasted),
      run: () => this.run(),
    });
    this.drawResults();
    addEventListener("keydown", (event) => this.key(event));
    addEventListener("hashchange", () => void this.followLink());
  }

  private button(label: string, title: string, action: () => void): HTMLButtonElement {
    return h("button", { type: "button", class: "quiet", title, click: action }, label);
  }

  private skip(event: Event): void {
    event.preventDefault();
    document.getElementById("results")?.focus();
  }

  private key(event: KeyboardEvent): void {
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest(".cm-editor, input, select, textarea")) return;
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
    event.preventDefault();
    if (event.shiftKey) this.redo();
    else this.undo();
  }

  /** Changes the state as one step that can be undone, and asks anew. */
  private readonly change = (change: (state: State) => void, focus?: string): void => {
    this.past.record(this.state, false);
    const next = structuredClone(this.state);
    change(next);
    this.state = next;
    this.state.column = Math.min(this.state.column, Math.max(0, this.count() - 1));
    this.drawControls();
    this.run();
    if (focus) document.getElementById(focus)?.focus();
  };

  /** Of the first core. */
  private isa(): string {
    return this.info.cores.find((core) => core.name === this.state.cores[0])?.isa ?? "x86";
  }

  private count(): number {
    return this.state.cores.length * (this.state.language === "asm" ? 1 : this.state.variants.length);
  }

  private typed(text: string, pasted: boolean): void {
    if (text === this.state.code) return;
    this.past.record(this.state, true);
    this.state = { ...this.state, code: text };
    this.drawActions();
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.run(), pasted ? 0 : TYPING);
  }

  private chooseLanguage(language: Language): void {
    const isa = this.isa();
    if (!isExample(this.state.code)) this.drafts.set(this.state.language, this.state.code);
    const code = this.drafts.get(language) ?? exampleOf(language, isa);
    this.change((next) => {
      next.language = language;
      next.code = code;
      next.variants = fittingVariants(next, this.info.compilers);
      next.region = 0;
      next.options.function = "";
      next.options.loop = "auto";
    });
    this.editor?.setText(code);
    this.controls.querySelector<HTMLInputElement>(`.segments input[value="${language}"]`)?.focus();
  }

  private restore(state: State | null): void {
    if (!state) return;
    this.state = state;
    this.editor?.setText(state.code);
    this.drawControls();
    this.run();
  }

  private undo(): void {
    this.restore(this.past.undo(this.state));
  }

  private redo(): void {
    this.restore(this.past.redo(this.state));
  }

  private run(): void {
    clearTimeout(this.timer);
    this.runner.run(this.state);
    void this.link();
  }

  private async link(): Promise<void> {
    const fragment = await encode(this.state);
    this.linked = fragment;
    history.replaceState(null, "", `#${fragment}`);
  }

  private async followLink(): Promise<void> {
    const fragment = location.hash.slice(1);
    if (fragment === this.linked) return;
    const found = await decode(fragment, this.state);
    if (!found) return;
    this.past.record(this.state, false);
    this.restore({ ...found, variants: fittingVariants(found, this.info.compilers) });
  }

  private async copyLink(button: HTMLButtonElement): Promise<void> {
    await this.link();
    try {
      await navigator.clipboard.writeText(location.href);
      button.textContent = "Copied";
    } catch {
      button.textContent = "See the address bar";
    }
    setTimeout(() => (button.textContent = "Copy link"), 1600);
  }

  private drawActions(): void {
    this.undoButton.disabled = !this.past.canUndo;
    this.redoButton.disabled = !this.past.canRedo;
  }

  private drawControls(): void {
    const dialect = `${this.state.language} ${this.isa()}`;
    if (dialect !== this.dialect) this.editor?.setLanguage(this.state.language, this.isa());
    this.dialect = dialect;
    const open = this.controls.querySelector<HTMLDetailsElement>(".options")?.open ?? false;
    const focused = document.activeElement?.id;
    this.controls.replaceChildren(
      languages(this.state, (language) => this.chooseLanguage(language)),
      cores(this.state, this.info, this.change),
      compilers(this.state, this.info, this.change) ?? "",
      options(this.state, this.change, open),
    );
    if (focused) document.getElementById(focused)?.focus();
    this.drawActions();
  }

  /** Draws once for all answers that come in the same frame. */
  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame(() => {
      this.scheduled = false;
      this.drawResults();
    });
  }

  private drawResults(): void {
    const { columns } = this.runner;
    if (this.waits(columns)) return;
    const chosen = columns[this.state.column] ?? columns[0];
    const parts: (Node | null)[] = [
      chosen ? this.regions(chosen) : null,
      cards(columns, this.state, this.info, (column) => this.choose({ column })),
      columns.length > 1 ? this.layout() : null,
    ];
    this.work.classList.toggle("wide", this.state.beside && columns.length > 1);
    if (columns.some((column) => !column.pending || column.report)) {
      if (this.state.beside && columns.length > 1) parts.push(this.side(columns));
      else if (chosen) parts.push(...this.single(chosen));
    }
    keepPlace(this.results, () => this.results.replaceChildren(...parts.filter((part): part is Node => part !== null)));
    if (columns.every((column) => !column.pending)) this.announce(columns);
  }

  /** Whether only answers are waited for: then what is there stays, paler, until they come. */
  private waits(columns: Column[]): boolean {
    const shown = this.results.querySelectorAll(".card");
    const drawn = this.results.querySelector(".report, .problem") !== null;
    if (!drawn || shown.length !== columns.length || !columns.every((column) => column.pending)) return false;
    shown.forEach((card) => card.classList.add("pending"));
    return true;
  }

  private announce(columns: Column[]): void {
    const words = columns.map((column) => {
      const region = regionOf(column, this.state);
      if (column.problem) return `${column.core}: ${column.problem.message}`;
      return region ? `${column.core}: ${region.view.value} cycles per iteration` : `${column.core}: nothing`;
    });
    this.status.textContent = words.join("; ");
    const first = columns[this.state.column] ?? columns[0];
    const region = first ? regionOf(first, this.state) : null;
    document.title = region && !region.withheld ? `${region.view.value} cycles - corecast` : "corecast";
  }

  private choose(chosen: { column?: number; region?: number; beside?: boolean }): void {
    this.state = { ...this.state, ...chosen };
    this.drawResults();
    void this.link();
  }

  private layout(): HTMLElement {
    const choice = (beside: boolean, label: string): HTMLElement =>
      h("button", {
        type: "button",
        class: "small",
        id: beside ? "show-all" : "show-one",
        "aria-pressed": String(this.state.beside === beside),
        click: () => this.choose({ beside }),
      }, label);
    return h("div", { class: "layout", role: "group", "aria-label": "Details" }, h("span", { class: "soft" }, "Details of"), choice(false, "the chosen column"), choice(true, "all, side by side"));
  }

  private regions(column: Column): HTMLElement | null {
    const found = column.report?.regions ?? [];
    if (found.length < 2) return null;
    const select = h("select", { id: "region", "aria-label": "Loop" });
    found.forEach((region, place) => {
      const words = `${region.view.name}, ${region.view.facts.split(":").pop() ?? ""} — ${region.view.value}`;
      select.append(h("option", { value: place, selected: place === Math.min(this.state.region, found.length - 1) }, words));
    });
    select.addEventListener("change", () => this.choose({ region: Number(select.value) }));
    return h("label", { class: "regions" }, h("span", {}, `${found.length} loops`), select);
  }

  private side(columns: Column[]): HTMLElement {
    const box = h("div", { class: "side", tabindex: 0, role: "region", "aria-label": "Reports side by side" });
    for (const column of columns) {
      const region = regionOf(column, this.state);
      if (!column.report || !region) continue;
      const title = this.info.cores.find((core) => core.name === column.core)?.title ?? column.core;
      const variant = column.variant === null ? "" : ` · ${this.state.variants[column.variant]?.compiler ?? ""}`;
      const { element } = regionView(column.report, region, column.variant === null ? null : this.state.code, title + variant);
      box.append(h("div", { class: "lane" }, h("h2", {}, title + variant), element));
    }
    this.editor?.setCosts(new Map());
    return box;
  }

  private single(column: Column): (Node | null)[] {
    const region = regionOf(column, this.state);
    this.editor?.mark(column.problem?.line ?? null);
    if (!column.report || !region) {
      this.editor?.setCosts(new Map());
      return [];
    }
    const compiled = column.variant !== null;
    const { element, highlight } = regionView(column.report, region, compiled ? this.state.code : null, "");
    const lineOf = (index: number): number | null => {
      const instruction = region.instructions[index];
      if (!instruction) return null;
      const line = compiled ? Number(instruction.source_line.split(":").pop()) : instruction.line;
      return line > 0 ? line : null;
    };
    highlight.follow((index) => this.editor?.light(index === null ? null : lineOf(index)));
    const costs: Costs = new Map();
    region.simulated?.stalls_by_instruction.forEach((cycles, index) => {
      const line = lineOf(index);
      if (line !== null) costs.set(line, (costs.get(line) ?? 0) + cycles);
    });
    this.editor?.setCosts(costs);
    const words = [...column.report.messages, ...column.report.warnings];
    return [
      h("p", { class: "note place" }, `${region.view.name}: ${region.view.facts.replace("<text>:", "lines ")}; ${column.report.facts}`),
      words.length > 0 ? h("ul", { class: "notices" }, ...words.map((each) => h("li", {}, each))) : null,
      contents(element, ""),
      element,
      compiled ? this.assembly(column) : null,
    ];
  }

  private assembly(column: Column): HTMLElement {
    const edit = (): void => {
      const code = column.assembly;
      this.change((next) => {
        next.language = "asm";
        next.code = code;
        next.variants = [];
      });
      this.editor?.setText(code);
    };
    return h(
      "details",
      { class: "assembly" },
      h("summary", {}, "Assembly that the compiler wrote"),
      h("button", { type: "button", class: "small", click: edit }, "Edit it"),
      h("pre", { tabindex: 0, role: "region", "aria-label": "Assembly" }, column.assembly),
    );
  }
}

async function main(): Promise<void> {
  const root = document.getElementById("app");
  if (!root) return;
  try {
    const info = await askInfo();
    const isa = info.cores.find((core) => core.name === info.default_cpu)?.isa ?? "x86";
    const standard: State = {
      language: "asm",
      code: exampleOf("asm", isa),
      variants: [],
      cores: [info.default_cpu],
      options: { ...DEFAULTS },
      column: 0,
      region: 0,
      beside: false,
    };
    const found = location.hash.length > 1 ? await decode(location.hash.slice(1), standard) : null;
    const state = found ?? standard;
    state.variants = fittingVariants(state, info.compilers);
    await new App(info, state).start(root);
  } catch (error) {
    root.replaceChildren(h("p", { class: "problem", role: "alert" }, error instanceof Problem ? error.message : String(error)));
  }
}

void main();
