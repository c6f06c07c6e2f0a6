// Light, dark, or as the system says.
import { h } from "./dom";

const NAMES = { auto: "Theme: system", light: "Theme: light", dark: "Theme: dark" } as const;
type Theme = keyof typeof NAMES;
const ORDER: Theme[] = ["auto", "light", "dark"];
const KEY = "corecast-theme";

function kept(): Theme {
  try {
    const found = localStorage.getItem(KEY);
    return ORDER.find((theme) => theme === found) ?? "auto";
  } catch {
    return "auto"; // a file has no storage in some browsers
  }
}

export function themeButton(): HTMLButtonElement {
  let theme = kept();
  const button = h("button", { type: "button", class: "quiet", title: "Light, dark, or as the system says" });
  const show = (): void => {
    button.textContent = NAMES[theme];
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  };
  button.addEventListener("click", () => {
    theme = ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length] ?? "auto";
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // then only until the page is left
    }
    show();
  });
  show();
  return button;
}
