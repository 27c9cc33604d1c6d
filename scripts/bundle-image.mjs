// The command as one file, for a container image: everything but native code, which the programs of a cluster do not use.
//   node scripts/bundle-image.mjs [FILE]

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bundleSettings } from "./bundle-command.mjs";

const cli = fileURLToPath(new URL("../apps/cli/", import.meta.url));
const [outfile = join(cli, "dist/image/celadon.mjs")] = process.argv.slice(2);

/** One file has no modules that are loaded later: an import of a missing module would end every command at its start. */
const withoutNativeCode = {
  name: "without-native-code",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^lmdb$/ }, ({ path }) => ({ path, namespace: "native" }));
    onLoad({ filter: /.*/, namespace: "native" }, () => ({
      contents: `export const TransactionFlags = {}; export function open() { throw new Error("the container image has no embedded store; use --memory or --etcd-servers"); }`,
    }));
  },
};

const { plugins, ...settings } = bundleSettings();
const { outputFiles } = await build({
  ...settings,
  external: ["node:*"],
  plugins: [withoutNativeCode, ...plugins],
  entryPoints: [join(cli, "src/main.ts")],
  outfile,
  // The licences of others go where their code goes.
  legalComments: "inline",
});
const [{ contents }] = outputFiles;
mkdirSync(dirname(outfile), { recursive: true });
writeFileSync(outfile, contents);
console.log(`${outfile}: ${(contents.length / 1e6).toFixed(1)} MB`);
