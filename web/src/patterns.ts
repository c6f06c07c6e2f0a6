// Fills that differ in texture and not only in colour. Each drawing has its own copies: ids are global.
import { fresh, s } from "./dom";

export type Texture = "dots" | "lines" | "cross" | "dense" | "solid" | "plain";

const MARKS: Record<Exclude<Texture, "solid" | "plain">, string> = {
  dots: "M1.5 1.5h1v1h-1z",
  lines: "M-1 1l2-2M0 6l6-6M5 7l2-2",
  cross: "M0 3h6M3 0v6",
  dense: "M0 1.5h6M0 4.5h6",
};

/** Defines the textures in a drawing and says how to fill with them. */
export function textures(): { defs: SVGDefsElement; fill: (texture: Texture) => string } {
  const prefix = fresh("texture");
  const defs = s("defs");
  for (const [name, path] of Object.entries(MARKS)) {
    defs.append(
      s(
        "pattern",
        { id: `${prefix}-${name}`, width: 6, height: 6, patternUnits: "userSpaceOnUse" },
        s("rect", { width: 6, height: 6, class: `texture-ground texture-${name}` }),
        s("path", { d: path, class: name === "dots" ? "texture-mark-filled" : "texture-mark" }),
      ),
    );
  }
  const fill = (texture: Texture): string =>
    texture === "solid" ? "var(--accent)" : texture === "plain" ? "var(--accent-soft)" : `url(#${prefix}-${texture})`;
  return { defs, fill };
}
