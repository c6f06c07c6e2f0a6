// One box with names and values beside the pointer, or beside what has the focus.
import { h } from "./dom";

export type Facts = [string, string | number | null | undefined][];

const box = h("div", { class: "tooltip", role: "tooltip", hidden: true });

function place(x: number, y: number): void {
  const size = box.getBoundingClientRect();
  const left = Math.min(x + 14, innerWidth - size.width - 8);
  const top = y + 18 + size.height > innerHeight ? y - size.height - 12 : y + 18;
  box.style.left = `${Math.max(4, left)}px`;
  box.style.top = `${Math.max(4, top)}px`;
}

export function showFacts(facts: Facts, x: number, y: number): void {
  const list = h("dl");
  for (const [name, value] of facts) {
    if (value === "" || value === null || value === undefined) continue;
    list.append(h("dt", {}, name), h("dd", {}, String(value)));
  }
  if (!box.isConnected) document.body.append(box);
  box.replaceChildren(list);
  box.hidden = false;
  place(x, y);
}

export function hideFacts(): void {
  box.hidden = true;
}

/** Shows facts while the pointer is over a node, or the focus in it. */
export function explain(node: Element, facts: () => Facts): void {
  node.addEventListener("pointermove", (event) => {
    const { clientX, clientY } = event as PointerEvent;
    showFacts(facts(), clientX, clientY);
  });
  node.addEventListener("pointerleave", hideFacts);
  if (!node.hasAttribute("tabindex")) return; // a listener for it would make a drawing's part focusable
  node.addEventListener("focusin", () => {
    if (!node.matches(":focus-visible, :has(:focus-visible)")) return;
    const at = node.getBoundingClientRect();
    showFacts(facts(), at.left + 24, at.bottom - 12);
  });
  node.addEventListener("focusout", hideFacts);
}

addEventListener("keydown", (event) => {
  if (event.key === "Escape") hideFacts();
});
