// Builds the page and the report into the Python package. `--check` builds elsewhere and compares: the package's copy is
// committed, so that nobody needs Node to install corecast.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync, mkdirSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const here = fileURLToPath(new URL(".", import.meta.url));
const package_ = join(here, "..", "src", "corecast");
const places = { page: join(package_, "serve", "static"), report: join(package_, "report", "assets", "page") };

async function make(page, report) {
  const shared = { root: here, configFile: false, logLevel: "error", publicDir: false };
  const options = { emptyOutDir: true, minify: true, sourcemap: false, target: "es2022", cssTarget: ["chrome123", "firefox120", "safari17.5"], chunkSizeWarningLimit: 1000, modulePreload: false, license: false };
  await build({
    ...shared,
    base: "./",
    build: {
      ...options,
      outDir: page,
      cssCodeSplit: false,
      rolldownOptions: {
        input: join(here, "src", "app.ts"),
        output: { entryFileNames: "app.js", chunkFileNames: "[name].js", assetFileNames: "app.[ext]" },
      },
    },
  });
  writeFileSync(join(page, "index.html"), readFileSync(join(here, "index.html"), "utf8"));
  await build({
    ...shared,
    build: {
      ...options,
      outDir: report,
      cssCodeSplit: false,
      rolldownOptions: {
        input: join(here, "src", "report.ts"),
        output: { format: "iife", entryFileNames: "report.js", assetFileNames: "report.[ext]" },
      },
    },
  });
}

function differences(made, committed) {
  const names = new Set([...readdirSync(made), ...(existsSync(committed) ? readdirSync(committed) : [])]);
  return [...names].filter((name) => {
    try {
      return !readFileSync(join(made, name)).equals(readFileSync(join(committed, name)));
    } catch {
      return true;
    }
  });
}

if (process.argv.includes("--check")) {
  const folder = mkdtempSync(join(tmpdir(), "corecast-web-"));
  try {
    const made = { page: join(folder, "page"), report: join(folder, "report") };
    await make(made.page, made.report);
    const wrong = Object.keys(places).flatMap((key) => differences(made[key], places[key]).map((name) => join(places[key], name)));
    if (wrong.length > 0) {
      console.error(`not what the sources in web/ give: ${wrong.join(", ")}; run scripts/web build`);
      process.exitCode = 1;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
} else {
  for (const folder of Object.values(places)) mkdirSync(folder, { recursive: true });
  await make(places.page, places.report);
}
