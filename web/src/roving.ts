// One stop for Tab in a list of many: the arrow keys, Home and End move within it.

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

export function roving(items: readonly (HTMLElement | SVGElement)[]): void {
  const last = items.length - 1;
  items.forEach((item, place) => {
    item.setAttribute("tabindex", place === 0 ? "0" : "-1");
    item.addEventListener("focus", () => {
      for (const each of items) each.setAttribute("tabindex", each === item ? "0" : "-1");
    });
    item.addEventListener("keydown", (event: Event) => {
      if (!(event instanceof KeyboardEvent)) return;
      const step = STEPS[event.key];
      if (event.target !== item || (step === undefined && event.key !== "Home" && event.key !== "End")) return;
      event.preventDefault();
      const next = step === undefined ? (event.key === "Home" ? 0 : last) : Math.min(last, Math.max(0, place + step));
      items[next]?.focus();
    });
  });
}
