// Builds the extension and packs it: the client bundled into one file, the command with everything it needs beside it.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { type ExtensionManifest, vsix } from "./vsix.ts";

export interface PackOptions {
  /** The directory of the extension. */
  readonly folder: string;
  /** The directory of the project. */
  readonly root: string;
  /** Bundles the client for VS Code. */
  readonly bundleClient: (entry: string) => Promise<BundledClient>;
}

export interface BundledClient {
  readonly contents: Uint8Array;
  /** The licences of the packages in it. */
  readonly notices: string;
}

/** The path of the package. */
export async function pack({ folder, root, bundleClient }: PackOptions): Promise<string> {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as ExtensionManifest &
    Record<string, unknown>;
  const files = new Map<string, Uint8Array>();
  const { scripts: _, devDependencies: __, private: ___, type: ____, ...shown } = manifest;
  files.set("package.json", Buffer.from(`${JSON.stringify(shown, undefined, 2)}\n`));
  files.set("readme.md", readFileSync(join(folder, "README.md")));
  files.set("LICENSE.txt", readFileSync(join(root, "LICENSE")));
  const client = await bundleClient(join(folder, "src/extension.ts"));
  files.set("extension.cjs", client.contents);
  files.set("NOTICES.txt", Buffer.from(client.notices));
  files.set("cel.language-configuration.json", readFileSync(join(folder, "cel.language-configuration.json")));
  for (const name of readdirSync(join(folder, "syntaxes")))
    files.set(`syntaxes/${name}`, readFileSync(join(folder, "syntaxes", name)));
  const command = join(root, "apps/cli/dist/bundle");
  if (!existsSync(join(command, "main.js"))) throw new Error("the command is not built: run npm run build first");
  for (const [path, bytes] of modulesFrom(command, ["main.js"])) files.set(`celadon/${path}`, bytes);
  files.set("celadon/NOTICES.txt", readFileSync(join(command, "NOTICES.txt")));
  files.set("celadon/package.json", Buffer.from('{ "type": "module" }\n'));
  files.set("celadon/main.mjs", Buffer.from('import "./main.js";\n'));
  const path = join(folder, "dist/celadon.vsix");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, vsix(manifest, files));
  return path;
}

/** Modules and their imports; the folder may hold chunks of older builds as well. */
export function modulesFrom(folder: string, entries: readonly string[]): ReadonlyMap<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  const open = [...entries];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path) || !existsSync(join(folder, path))) continue;
    const bytes = readFileSync(join(folder, path));
    found.set(path, bytes);
    for (const [, target = ""] of bytes.toString("utf8").matchAll(/["'](\.\.?\/[\w./-]+\.c?js)["']/g)) {
      open.push(posix.join(posix.dirname(path), target));
    }
  }
  return found;
}
