// Everything that a link holds: code, compilers, cores and options. Plain data; undo keeps copies of it.

export type Language = "asm" | "c" | "c++" | "rust" | "fortran";

export interface Variant {
  compiler: string;
  flags: string;
}

export interface Options {
  syntax: string;
  function: string;
  loop: string;
  mode: string;
  unknown: string;
  alias: string;
  method: string;
  bandwidth: string;
  clock: string;
  timeline: number;
  from: number;
}

export interface State {
  language: Language;
  code: string;
  variants: Variant[];
  cores: string[];
  options: Options;
  /** Column and region that the report is about. */
  column: number;
  region: number;
  /** Reports of all columns beside each other. */
  beside: boolean;
}

export const DEFAULTS: Options = {
  syntax: "auto",
  function: "",
  loop: "auto",
  mode: "auto",
  unknown: "bound",
  alias: "none",
  method: "auto",
  bandwidth: "",
  clock: "",
  timeline: 4,
  from: -1,
};

export const LANGUAGES: [Language, string][] = [
  ["asm", "Assembly"],
  ["c", "C"],
  ["c++", "C++"],
  ["rust", "Rust"],
  ["fortran", "Fortran"],
];
const MOST_COLUMNS = 6;
const MOST_CODE = 262_144;

export function mostCores(state: State): number {
  return Math.max(1, Math.floor(MOST_COLUMNS / Math.max(1, state.language === "asm" ? 1 : state.variants.length)));
}

export function mostVariants(state: State): number {
  return Math.max(1, Math.floor(MOST_COLUMNS / Math.max(1, state.cores.length)));
}

async function through(stream: CompressionStream | DecompressionStream, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

/** The state as a URL's fragment: JSON, deflated, in base64 for URLs. */
export async function encode(state: State): Promise<string> {
  const options = Object.fromEntries(
    Object.entries(state.options).filter(([name, value]) => DEFAULTS[name as keyof Options] !== value),
  );
  const bytes = new TextEncoder().encode(JSON.stringify({ ...state, options }));
  const packed = await through(new CompressionStream("deflate-raw"), bytes);
  let text = "";
  for (const byte of packed) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The state of a fragment, null where it is none. What is not as it should be is left out. */
export async function decode(fragment: string, standard: State): Promise<State | null> {
  try {
    const packed = Uint8Array.from(atob(fragment.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const text = new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), packed));
    return restored(JSON.parse(text), standard);
  } catch {
    return null;
  }
}

function restored(found: unknown, standard: State): State | null {
  if (typeof found !== "object" || found === null) return null;
  const given = found as Record<string, unknown>;
  const text = (value: unknown, otherwise: string): string => (typeof value === "string" ? value : otherwise);
  const count = (value: unknown, otherwise: number): number =>
    typeof value === "number" && Number.isInteger(value) && value >= -1 && value < 1000 ? value : otherwise;
  const language = LANGUAGES.some(([name]) => name === given.language) ? (given.language as Language) : standard.language;
  const options: Options = { ...DEFAULTS };
  const chosen = (typeof given.options === "object" && given.options) || {};
  for (const [name, value] of Object.entries(chosen)) {
    if (!(name in DEFAULTS)) continue;
    const key = name as keyof Options;
    if (typeof DEFAULTS[key] === typeof value) Object.assign(options, { [key]: value });
  }
  const variants = (Array.isArray(given.variants) ? given.variants : [])
    .filter((each): each is Record<string, unknown> => typeof each === "object" && each !== null)
    .map((each) => ({ compiler: text(each.compiler, ""), flags: text(each.flags, "") }))
    .slice(0, MOST_COLUMNS);
  const cores = (Array.isArray(given.cores) ? given.cores : []).filter((each): each is string => typeof each === "string");
  const state: State = {
    language,
    code: text(given.code, standard.code).slice(0, MOST_CODE),
    variants,
    cores: cores.length > 0 ? [...new Set(cores)].slice(0, MOST_COLUMNS) : standard.cores,
    options,
    column: Math.max(0, count(given.column, 0)),
    region: Math.max(0, count(given.region, 0)),
    beside: given.beside === true,
  };
  return state;
}

/** States before and after the present one. What is typed in quick succession is one step. */
export class Past {
  private before: State[] = [];
  private after: State[] = [];
  private last = 0;

  record(previous: State, typing: boolean): void {
    const now = performance.now();
    if (!typing || now - this.last > 700) this.before.push(structuredClone(previous));
    this.last = typing ? now : 0;
    if (this.before.length > 200) this.before.shift();
    this.after = [];
  }

  undo(present: State): State | null {
    const found = this.before.pop();
    if (!found) return null;
    this.after.push(structuredClone(present));
    this.last = 0;
    return found;
  }

  redo(present: State): State | null {
    const found = this.after.pop();
    if (!found) return null;
    this.before.push(structuredClone(present));
    this.last = 0;
    return found;
  }

  get canUndo(): boolean {
    return this.before.length > 0;
  }

  get canRedo(): boolean {
    return this.after.length > 0;
  }
}
