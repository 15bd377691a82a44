// The hash of the sources, which a test compares with the built files: the same rule as in tests/test_studio_page.py.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
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
