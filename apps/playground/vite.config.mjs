// The playground as static files. Packages are taken from their sources; the engine's code generator is left out; certificate policies,
// custom resource definitions and an API server's configurations are loaded on demand (see src/engine); the service worker knows the names
// of all files.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { noticesOf } from "../../scripts/notices.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Modules that have another form in a page. */
function replaced() {
  return {
    name: "replaced-modules",
    enforce: "pre",
    resolveId(source, importer) {
      const isFirst = /\/(?:simulator|write)\/src\/|\/engine\/explain-view/.test(importer ?? "");
      if (source === "@celadon/certpolicy" && isFirst) return here("src/engine/certpolicy-on-demand.ts");
      if (/^@celadon\/crd(\/write)?$/.test(source) && isFirst) return here("src/engine/crd-on-demand.ts");
      if (source === "@celadon/kube-cel/access" && isFirst) return here("src/engine/access-on-demand.ts");
      if (source === "./compile.ts" && importer?.includes("/cel/src/run/")) return here("src/engine/interpret-only.ts");
      return null;
    },
  };
}

/** Modules of the page and of its worker. */
const modules = new Set();

function collected() {
  return {
    name: "collected-modules",
    apply: "build",
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) for (const id of chunk.moduleIds ?? []) modules.add(id);
    },
  };
}

/** The licences of bundled packages. After the service worker: nobody needs them offline. */
function notices() {
  return {
    name: "notices",
    apply: "build",
    generateBundle: {
      order: "post",
      handler() {
        const source = noticesOf("The playground", [...modules]);
        this.emitFile({ type: "asset", fileName: "NOTICES.txt", source });
      },
    },
  };
}

/** The service worker with the list of files, and a name that changes with their contents. */
function serviceWorker() {
  return {
    name: "service-worker",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const files = [...Object.keys(bundle), ...readdirSync(here("public"))].filter((name) => !name.endsWith(".map"));
        const hash = createHash("sha256");
        for (const name of files.toSorted()) {
          const { code, source } = bundle[name] ?? { source: readFileSync(here(`public/${name}`)) };
          hash.update(name).update(code ?? source ?? "");
        }
        const text = readFileSync(here("src/service-worker.js"), "utf8")
          .replace("__FILES__", JSON.stringify(["./", ...files.filter((name) => name !== "index.html")]))
          .replace("__NAME__", JSON.stringify(`celadon-${hash.digest("hex").slice(0, 16)}`));
        this.emitFile({ type: "asset", fileName: "service-worker.js", source: text });
      },
    },
  };
}

export default defineConfig({
  root: here("."),
  base: "./",
  plugins: [replaced(), collected(), serviceWorker(), notices()],
  resolve: { conditions: ["source", "module", "browser", "import", "default"] },
  worker: {
    format: "es",
    plugins: () => [replaced(), collected()],
    rolldownOptions: {
      // The schemas of built-in kinds and how they merge, apart from the program.
      output: {
        codeSplitting: {
          groups: [{ name: "schemas", test: /\/(?:kube\/src\/(?:types|builtin)|merge\/src\/schema)\/generated\// }],
        },
      },
    },
  },
  build: {
    // Parsers of CodeMirror come with the editors' help: nothing before that uses them, even if they have effects when loaded.
    rolldownOptions: { treeshake: { moduleSideEffects: [{ test: /node_modules\/@lezer\//, sideEffects: false }] } },
    outDir: here("../cli/dist/site"),
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
  },
  logLevel: "warn",
});
