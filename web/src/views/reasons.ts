// Why not faster: every cycle's reason, as one bar and as a list.
import { type Region, type Share, cycles } from "../document";
import { h, s, section } from "../dom";
import type { Highlight } from "../highlight";
import { type Texture, textures } from "../patterns";

const KINDS: Record<Share["kind"], [string, Texture]> = {
  full: ["rename at full width", "plain"],
  latency: ["waits for results", "lines"],
  port: ["waits for ports or units", "solid"],
  frontend: ["front end", "dots"],
  retire: ["retirement and stores", "dense"],
};
const LEAST = 0.004;

export function reasons(region: Region, highlight: Highlight): HTMLElement | null {
  const found = (region.view.reasons ?? []).filter((share) => share.cycles >= LEAST);
  if (found.length === 0) return null;
  const total = found.reduce((sum, share) => sum + share.cycles, 0);
  const { defs, fill } = textures();
  const bar = s("svg", { viewBox: "0 0 1000 22", preserveAspectRatio: "none", class: "stack", "aria-hidden": "true" }, defs);
  let at = 0;
  for (const share of found) {
    const width = (share.cycles / total) * 1000;
    const part = s("rect", { x: at, y: 0, width: Math.max(1, width - 2), height: 22, fill: fill(KINDS[share.kind][1]) });
    if (share.instruction !== null) highlight.attach(part, share.instruction);
    bar.append(part);
    at += width;
  }
  const rows = found.map((share) => {
    const row = h(
      "tr",
      {},
      h("td", { class: "swatch" }, swatch(KINDS[share.kind][1])),
      h("td", { class: "number" }, cycles(share.cycles)),
      h("td", { class: "number soft" }, share.percent),
      h("td", {}, share.words),
      h("td", { class: "soft" }, KINDS[share.kind][0]),
    );
    if (share.instruction !== null) highlight.attach(row, share.instruction);
    return row;
  });
  return section(
    "reasons",
    "Reasons",
    "Why not faster",
    "Simulated cycles per iteration by reason; they add up.",
    bar,
    h(
      "table",
      { class: "plain" },
      h(
        "thead",
        { class: "hidden" },
        h("tr", {}, ...["Texture", "Cycles", "Share", "Reason", "Kind"].map((name) => h("th", { scope: "col" }, name))),
      ),
      h("tbody", {}, ...rows),
    ),
  );
}

export function swatch(texture: Texture): SVGSVGElement {
  const { defs, fill } = textures();
  return s(
    "svg",
    { width: 18, height: 12, class: "key", "aria-hidden": "true" },
    defs,
    s("rect", { width: 18, height: 12, rx: 2, fill: fill(texture) }),
  );
}
