// Files of the workspace that no editor has open, read once at the start and again when the client says that they changed.

import { pathToFileURL } from "node:url";
import type { Files } from "../program/io.ts";

const NAMES = /\.(?:ya?ml|json)$/i;
const SKIPPED = new Set(["node_modules", ".git", "dist", "vendor", "target", ".terraform"]);
/** Beyond these, a folder is no workspace of policies. */
const MOST_FILES = 5_000;
const LARGEST = 2 * 1024 * 1024;

/** Addresses with texts; texts that hold no Kubernetes object are left out. */
export async function* scanFolder(folder: string, files: Files): AsyncGenerator<readonly [uri: string, text: string]> {
  const open = [folder];
  let seen = 0;
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const entries = await files.list(path).catch(() => []);
    for (const { name, kind } of entries) {
      const inside = `${path}/${name}`;
      if (kind === "directory" && !SKIPPED.has(name) && !name.startsWith(".")) open.push(inside);
      if (kind !== "file" || !NAMES.test(name)) continue;
      if (++seen > MOST_FILES) return;
      const text = await readText(inside, files);
      if (text !== undefined) yield [pathToFileURL(inside).href, text];
    }
  }
}

/** Undefined for a file that is unreadable, too large, or without objects. */
export async function readText(path: string, files: Files): Promise<string | undefined> {
  try {
    const bytes = await files.read(path);
    if (bytes.length > LARGEST) return undefined;
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return /\bapiVersion\b/.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
