// The hash of the sources, which a test compares with the built files: the same rule as in tests/test_studio_page.py.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const TOP = ["index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.mjs", "sources.mjs"];

export function hashOfSources(folder) {
  const files = [...TOP, ...readdirSync(join(folder, "src")).map((name) => `src/${name}`)].sort();
  const hash = createHash("sha256");
  for (const file of files) {
    hash.update(`${file}\0`);
    hash.update(readFileSync(join(folder, file)));
    hash.update("\0");
  }
  return hash.digest("hex");
}

// The licences of what is linked into the page: all packages that are not only for building.
export function licences(folder) {
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  const linked = Object.entries(packages).filter(([name, entry]) => name && !entry.dev).sort();
  return linked.map(([name, entry]) => {
    const file = ["LICENSE", "LICENSE.md", "LICENSE.txt"].map((each) => join(folder, name, each)).find(existsSync);
    if (!file) throw new Error(`${name} has no licence`);
    const title = `${name.replace("node_modules/", "")} ${entry.version}: ${entry.license}`;
    return `${title}\n${"=".repeat(title.length)}\n\n${readFileSync(file, "utf8").trim()}\n`;
  }).join("\n\n");
}
