// Rows, boxes and lines that belong to one instruction light up together.

type Listener = (index: number | null) => void;

export class Highlight {
  private readonly listeners: Listener[] = [];
  private current: number | null = null;

  set(index: number | null): void {
    if (index === this.current) return;
    this.current = index;
    for (const listener of this.listeners) listener(index);
  }

  follow(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Makes hovering and focusing a node light up its instruction. */
  attach(node: Element, index: number): void {
    node.addEventListener("pointerenter", () => this.set(index));
    node.addEventListener("pointerleave", () => this.set(null));
    if (!node.hasAttribute("tabindex")) return; // a listener for it would make a drawing's part focusable
    node.addEventListener("focusin", () => this.set(index));
    node.addEventListener("focusout", () => this.set(null));
  }
}
