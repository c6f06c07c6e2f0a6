// What is compared: a column for each compiler and core, filled as answers come.
import { Problem, analyze, compile } from "./api";
import type { Report } from "./document";
import type { State } from "./state";

export interface Column {
  core: string;
  /** Index of the compiler among the state's; null for assembly. */
  variant: number | null;
  report: Report | null;
  assembly: string;
  problem: Problem | null;
  pending: boolean;
}

/** Fills columns for a state and tells whenever one has changed. An older run is given up. */
export class Runner {
  columns: Column[] = [];
  private abort = new AbortController();

  constructor(private readonly changed: () => void) {}

  run(state: State): void {
    this.abort.abort();
    this.abort = new AbortController();
    const { signal } = this.abort;
    const before = this.columns;
    const variants = state.language === "asm" ? [null] : state.variants.map((_, index) => index);
    this.columns = variants.flatMap((variant) =>
      state.cores.map((core) => {
        const old = before.find((each) => each.core === core && each.variant === variant);
        return { core, variant, report: old?.report ?? null, assembly: "", problem: null, pending: true };
      }),
    );
    this.changed();
    for (const variant of variants) void this.fill(state, variant, signal);
  }

  private async fill(state: State, variant: number | null, signal: AbortSignal): Promise<void> {
    const columns = this.columns.filter((each) => each.variant === variant);
    try {
      let code = state.code;
      if (variant !== null) {
        const chosen = state.variants[variant];
        if (!chosen?.compiler) throw new Problem("No compiler for this language was found on this machine.", null);
        code = (await compile(state.language, state.code, chosen, signal)).assembly;
      }
      await Promise.all(columns.map((column) => this.analyze(column, code, state, signal)));
    } catch (error) {
      if (signal.aborted) return;
      for (const column of columns) this.settle(column, null, error);
    }
  }

  private async analyze(column: Column, code: string, state: State, signal: AbortSignal): Promise<void> {
    column.assembly = code;
    try {
      this.settle(column, await analyze(code, column.core, state.options, signal), null);
    } catch (error) {
      if (!signal.aborted) this.settle(column, null, error);
    }
  }

  private settle(column: Column, report: Report | null, error: unknown): void {
    column.report = report;
    column.problem = error === null ? null : error instanceof Problem ? error : new Problem(String(error), null);
    column.pending = false;
    this.changed();
  }
}
