// Requests to the server. All addresses are relative to the page's own, which has the token.
import type { Report } from "./document";
import type { Language, Options, Variant } from "./state";

export interface Core {
  name: string;
  title: string;
  isa: string;
  aliases: string[];
  validated: string[];
}

export interface Compiler {
  name: string;
  languages: Language[];
  flags: string;
}

export interface Info {
  version: string;
  default_cpu: string;
  cores: Core[];
  compilers: Compiler[];
}

/** What the server says where it has no answer. */
export class Problem extends Error {
  constructor(
    message: string,
    readonly line: number | null,
  ) {
    super(message);
  }
}

async function ask<T>(path: string, body: unknown, signal: AbortSignal | null): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`api/v1/${path}`, {
      method: body === undefined ? "GET" : "POST",
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem("The server does not answer: is `corecast serve` still running?", null);
  }
  const found = await response.json();
  if (response.ok) return found as T;
  throw new Problem(found.error?.message ?? `status ${response.status}`, found.error?.line ?? null);
}

export function info(): Promise<Info> {
  return ask<Info>("info", undefined, null);
}

export function compile(language: Language, source: string, variant: Variant, signal: AbortSignal): Promise<{ assembly: string; command: string }> {
  return ask("compile", { language, source, compiler: variant.compiler, flags: variant.flags }, signal);
}

export function analyze(code: string, cpu: string, options: Options, signal: AbortSignal): Promise<Report> {
  const { bandwidth, from, ...others } = options;
  return ask("analyze", { code, cpu, ...others, timeline_from: from, bandwidth: bandwidth ? [bandwidth] : [] }, signal);
}
