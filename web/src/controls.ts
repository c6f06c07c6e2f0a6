// The controls beside the editor: language, compilers, cores and options. They say what was chosen; the app decides.
import type { Compiler, Core, Info } from "./api";
import { fresh, h } from "./dom";
import { DEFAULTS, LANGUAGES, type Language, type Options, type State, mostCores, mostVariants } from "./state";

type Change = (change: (state: State) => void, focus?: string) => void;

const ISAS: Record<string, string> = { x86: "x86-64", aarch64: "AArch64", riscv64: "RISC-V" };

export function languages(state: State, choose: (language: Language) => void): HTMLElement {
  const name = fresh("language");
  return h(
    "fieldset",
    { class: "segments" },
    h("legend", { class: "hidden" }, "Language"),
    ...LANGUAGES.map(([language, title]) => {
      const id = fresh("choice");
      return h(
        "span",
        {},
        h("input", { type: "radio", name, id, checked: language === state.language, value: language, change: () => choose(language) }),
        h("label", { for: id }, title),
      );
    }),
  );
}

export function cores(state: State, info: Info, change: Change): HTMLElement {
  const titles = new Map(info.cores.map((core) => [core.name, core]));
  const chips = state.cores.map((name, place) =>
    h(
      "li",
      { class: "chip" },
      h("span", { title: titles.get(name)?.title ?? name }, titles.get(name)?.title ?? name),
      state.cores.length > 1
        ? h("button", {
            type: "button",
            class: "remove",
            "aria-label": `Remove ${titles.get(name)?.title ?? name}`,
            click: () => change((next) => next.cores.splice(place, 1), "add-core"),
          }, "×")
        : null,
    ),
  );
  const select = h("select", { id: "add-core", "aria-label": "Add a core", disabled: state.cores.length >= mostCores(state) });
  select.append(h("option", { value: "" }, state.cores.length >= mostCores(state) ? "No room for more" : "Add a core…"));
  for (const [isa, title] of Object.entries(ISAS)) {
    const group = h("optgroup", { label: title });
    for (const core of info.cores) {
      if (core.isa !== isa || state.cores.includes(core.name)) continue;
      group.append(h("option", { value: core.name }, label(core, info)));
    }
    select.append(group);
  }
  select.addEventListener("change", () => {
    if (select.value) change((next) => next.cores.push(select.value), "add-core");
  });
  return h("div", { class: "cores" }, h("ul", { class: "chips", "aria-label": "Cores" }, ...chips), select);
}

function label(core: Core, info: Info): string {
  return core.title + (core.name === info.default_cpu ? " — this machine" : "");
}

export function compilers(state: State, info: Info, change: Change): HTMLElement | null {
  if (state.language === "asm") return null;
  const fitting = info.compilers.filter((each) => each.languages.includes(state.language));
  if (fitting.length === 0) {
    return h("p", { class: "notice" }, "No compiler for this language was found. Install one, or list it: see docs/serve.md.");
  }
  const rows = state.variants.map((variant, place) => {
    const select = h("select", { "aria-label": `Compiler ${place + 1}`, id: `compiler-${place}` });
    for (const each of fitting) select.append(h("option", { selected: each.name === variant.compiler }, each.name));
    select.addEventListener("change", () =>
      change((next) => {
        const target = next.variants[place];
        const before = fitting.find((each) => each.name === target?.compiler);
        const chosen = fitting.find((each) => each.name === select.value);
        if (!target || !chosen) return;
        if (target.flags === before?.flags) target.flags = chosen.flags;
        target.compiler = chosen.name;
      }, `compiler-${place}`),
    );
    const flags = h("input", {
      type: "text", value: variant.flags, spellcheck: "false", autocomplete: "off",
      "aria-label": `Options of compiler ${place + 1}`, id: `flags-${place}`, class: "code",
    });
    flags.addEventListener("change", () =>
      change((next) => {
        const target = next.variants[place];
        if (target) target.flags = flags.value;
      }),
    );
    const remove = (): void => change((next) => next.variants.splice(place, 1), "add-compiler");
    return h(
      "li",
      {},
      select,
      flags,
      state.variants.length > 1
        ? h("button", { type: "button", class: "remove", "aria-label": `Remove compiler ${place + 1}`, click: remove }, "×")
        : null,
    );
  });
  const full = state.variants.length >= mostVariants(state);
  const add = (): void =>
    change((next) => {
      const other = fitting.find((each) => !next.variants.some((one) => one.compiler === each.name)) ?? fitting[0];
      if (other) next.variants.push({ compiler: other.name, flags: next.variants.at(-1)?.flags ?? other.flags });
    }, "add-compiler");
  return h(
    "div",
    { class: "compilers" },
    h("ul", {}, ...rows),
    h("button", { type: "button", class: "small", id: "add-compiler", disabled: full, click: add }, "Compare with another compiler"),
  );
}

/** The compilers of a state as far as they exist here: else the first one for the language. */
export function fittingVariants(state: State, offered: Compiler[]): State["variants"] {
  if (state.language === "asm") return [];
  const fitting = offered.filter((each) => each.languages.includes(state.language));
  const kept = state.variants.filter((variant) => fitting.some((each) => each.name === variant.compiler));
  const first = fitting[0];
  return kept.length > 0 || !first ? kept : [{ compiler: first.name, flags: first.flags }];
}

const CHOICES: [keyof Options, string, [string, string][]][] = [
  ["syntax", "x86 syntax", [["auto", "detect"], ["att", "AT&T"], ["intel", "Intel"]]],
  ["mode", "The code repeats", [["auto", "as the code says"], ["loop", "as a loop"], ["unroll", "as copies in a row"]]],
  ["method", "Method", [["auto", "simulate where possible"], ["simulate", "simulate"], ["bounds", "static bounds"]]],
  ["unknown", "Unknown instructions", [["bound", "lower bound"], ["nearest", "nearest known form"], ["skip", "always a lower bound"], ["error", "an error"]]],
  ["alias", "Pointers", [["none", "never meet"], ["same", "with one step are equal"]]],
];
const FIELDS: [keyof Options, string, string][] = [
  ["function", "Function", "all"],
  ["loop", "Loop", "auto, all or a number"],
  ["clock", "Clock", "as 3GHz"],
  ["bandwidth", "Memory bandwidth", "as 20GB/s"],
];
const NUMBERS: [keyof Options, string, number, number][] = [
  ["timeline", "Iterations in the timeline", 0, 200],
  ["from", "Its first iteration (−1: steady state)", -1, 999],
];

export function options(state: State, change: Change, open: boolean): HTMLDetailsElement {
  const grid = h("div", { class: "fields" });
  const set = (key: keyof Options, value: string | number): void =>
    change((next) => Object.assign(next.options, { [key]: value }));
  for (const [key, title, values] of CHOICES) {
    const select = h("select", { id: `option-${key}` });
    for (const [value, words] of values) select.append(h("option", { value, selected: state.options[key] === value }, words));
    select.addEventListener("change", () => set(key, select.value));
    grid.append(h("label", {}, h("span", {}, title), select));
  }
  for (const [key, title, placeholder] of FIELDS) {
    const shown = state.options[key] === DEFAULTS[key] ? "" : String(state.options[key]);
    const field = h("input", { id: `option-${key}`, type: "text", value: shown, placeholder, spellcheck: "false", autocomplete: "off" });
    field.addEventListener("change", () => set(key, field.value.trim() || DEFAULTS[key]));
    grid.append(h("label", {}, h("span", {}, title), field));
  }
  for (const [key, title, min, max] of NUMBERS) {
    const field = h("input", { id: `option-${key}`, type: "number", min, max, value: state.options[key] });
    field.addEventListener("change", () => {
      const value = Math.round(Number(field.value));
      set(key, Number.isFinite(value) && field.value !== "" ? Math.min(max, Math.max(min, value)) : DEFAULTS[key]);
    });
    grid.append(h("label", {}, h("span", {}, title), field));
  }
  const changed = (Object.keys(DEFAULTS) as (keyof Options)[]).filter((key) => state.options[key] !== DEFAULTS[key]).length;
  return h("details", { class: "options", open }, h("summary", {}, changed ? `Options (${changed} changed)` : "Options"), grid);
}
