import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vite";
import { hashOfSources, licences } from "./sources.mjs";

const here = import.meta.dirname;
const page = join(here, "..", "python", "conspirator", "studio", "page");

// two builds: the page, and the view of a tree as one file for notebooks
export default defineConfig(({ mode }) =>
  mode === "widget"
    ? {
        build: {
          outDir: page,
          emptyOutDir: false,
          copyPublicDir: false,
          lib: { entry: join(here, "src", "widget.ts"), formats: ["es"], fileName: () => "widget.js", cssFileName: "widget" },
          target: "es2022",
        },
      }
    : {
        base: "/",
        build: {
          outDir: page,
          emptyOutDir: true,
          target: "es2022",
          modulePreload: { polyfill: false },
          rollupOptions: {
            output: {
              entryFileNames: "assets/studio.js",
              chunkFileNames: "assets/[name].js",
              assetFileNames: "assets/studio.[ext]",
            },
          },
        },
        plugins: [
          {
            name: "hash-of-sources",
            closeBundle: () => {
              writeFileSync(join(page, "sources.sha256"), `${hashOfSources(here)}\n`);
              writeFileSync(join(page, "LICENSES"), licences(here));
            },
          },
        ],
      },
);
