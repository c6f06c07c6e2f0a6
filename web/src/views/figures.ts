// The figures behind the headline, each group under its title.
import { type Region, cycles } from "../document";
import { h, section } from "../dom";
import { capital } from "./summary";

export function figures(region: Region): HTMLElement | null {
  const { view, bracket, frontend } = region;
  if (region.withheld || !view.bounds) return null;
  const group = (title: string, pairs: [string, string, boolean][]): HTMLElement =>
    h(
      "div",
      { class: "group" },
      h("h4", {}, title),
      h("dl", {}, ...pairs.flatMap(([name, value, strong]) => {
        const classes = strong ? "binding" : "";
        return [h("dt", { class: classes }, name), h("dd", { class: classes }, value)];
      })),
    );
  const number = (value: number | null): string => (value === null ? "unknown" : cycles(value));
  const parts = Object.entries(frontend.components).map(
    ([name, value]): [string, string, boolean] => [capital(name.replaceAll("_", " ")), cycles(value), name === frontend.limiting],
  );
  parts.push(["Fused micro-ops", String(Number(frontend.fused_uops.toFixed(2))), false]);
  if (frontend.supplier) parts.push(["Delivered by", frontend.supplier.replaceAll("_", " "), false]);
  return section(
    "figures",
    "Figures",
    "Figures",
    "Cycles per iteration.",
    h(
      "div",
      { class: "groups" },
      group("Bounds", view.bounds.map((bound) => [
        capital(bound.words) + (bound.estimate ? " (estimate)" : ""), cycles(bound.cycles), bound.name === region.bottleneck,
      ])),
      group("Bracket", [
        ["Lower: all latencies overlap", number(bracket.lower), false],
        ["Expected", number(bracket.expected), true],
        ["Upper: none overlaps", number(bracket.upper), false],
      ]),
      group("Front end", parts),
    ),
    ...region.assumptions.map((words) => h("p", { class: "note" }, `Assumed: ${words}.`)),
  );
}
