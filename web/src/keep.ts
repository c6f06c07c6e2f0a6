// Drawing anew without losing where the user is: focus, open details and scrolled boxes stay, by their order.

const STOPS = "[tabindex], button, select, input, a[href], summary";

export function keepPlace(root: HTMLElement, draw: () => void): void {
  const active = document.activeElement;
  const inside = active instanceof Element && root.contains(active) ? active : null;
  const place = inside ? [...root.querySelectorAll(STOPS)].indexOf(inside) : -1;
  const open = [...root.querySelectorAll<HTMLDetailsElement>("details[open]")].map((each) => each.className);
  const scrolled = [...root.querySelectorAll(".scroll")].map((each) => [each.scrollLeft, each.scrollTop] as const);
  draw();
  for (const each of root.querySelectorAll<HTMLDetailsElement>("details")) if (open.includes(each.className)) each.open = true;
  root.querySelectorAll(".scroll").forEach((each, number) => {
    const before = scrolled[number];
    if (before) each.scrollTo(...before);
  });
  if (!inside) return;
  const same = inside.id ? document.getElementById(inside.id) : [...root.querySelectorAll(STOPS)][place];
  if ((same instanceof HTMLElement || same instanceof SVGElement) && same.tagName === inside.tagName) same.focus({ preventScroll: true });
}
