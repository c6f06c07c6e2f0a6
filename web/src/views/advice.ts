// What limits the loop and what would help; a place for rewriting advice to come.
import type { Region } from "../document";
import { h, section } from "../dom";

export function advice(region: Region): HTMLElement | null {
  const sentences = region.view.advice ?? [];
  if (sentences.length === 0) return null;
  return section(
    "advice",
    "Advice",
    "What would help",
    "Every gain was computed by timing the changed code.",
    h("ul", { class: "advice" }, ...sentences.map((words) => h("li", {}, words))),
  );
}
