// One region of one report, all its parts below each other.
import type { Region, Report } from "./document";
import { h } from "./dom";
import { Highlight } from "./highlight";
import { advice } from "./views/advice";
import { figures } from "./views/figures";
import { graph } from "./views/graph";
import { occupancy } from "./views/occupancy";
import { ports } from "./views/ports";
import { reasons } from "./views/reasons";
import { roofline } from "./views/roofline";
import { source } from "./views/source";
import { timeline } from "./views/timeline";

export interface Shown {
  element: HTMLElement;
  highlight: Highlight;
}

/** `text`: of the source file, where the page has it; `where`: tells the report apart from others on the page. */
export function regionView(report: Report, region: Region, text: string | null, where: string): Shown {
  const highlight = new Highlight();
  const parts = [
    advice(region),
    reasons(region, highlight),
    ports(region, highlight),
    source(region, highlight, text),
    timeline(region, highlight),
    occupancy(region),
    graph(region, highlight),
    roofline(region),
    figures(region),
  ];
  const element = h(
    "article",
    { class: "report", "aria-label": where || `${region.view.name} on ${report.cpu_title}` },
    notices(region),
    ...parts,
  );
  if (where) {
    for (const named of element.querySelectorAll("[role=region]")) {
      named.setAttribute("aria-label", `${named.getAttribute("aria-label") ?? ""}, ${where}`);
    }
  }
  return { element, highlight };
}

/** Links to the parts of a report, as buttons: the address is taken by the state. */
export function contents(element: HTMLElement, where: string): HTMLElement {
  const found = [...element.querySelectorAll<HTMLElement>(".part")];
  return h(
    "nav",
    { class: "contents", "aria-label": where ? `Parts of ${where}` : "Parts of the report" },
    ...found.map((part) => {
      const title = part.querySelector("h3");
      const go = (): void => {
        part.scrollIntoView({ block: "start" });
        title?.focus({ preventScroll: true });
      };
      return h("button", { type: "button", class: "link", click: go }, part.dataset.short ?? "");
    }),
  );
}

function notices(region: Region): HTMLElement | null {
  const { view } = region;
  const unknown = view.unknown
    ? [
        view.unknown + ": " +
          region.instructions
            .filter((each) => each.status === "unknown")
            .slice(0, 6)
            .map((each) => `${each.text.trim()} (${each.nearest_forms.length ? `nearest known: ${each.nearest_forms[0]}` : "nothing like it is known"})`)
            .join("; "),
      ]
    : [];
  const words = [...unknown, ...region.warnings];
  if (words.length === 0) return null;
  return h("ul", { class: "notices", "aria-label": "Notices" }, ...words.map((each) => h("li", {}, each)));
}
