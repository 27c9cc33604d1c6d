// The pages of the documentation and the fenced blocks on them. Every block has a language this folder knows what to do with;
// blocks.test.ts refuses others, so that nothing on a page goes unread.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT: string = fileURLToPath(new URL("../../../", import.meta.url));

export interface Page {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

export interface Block {
  /** `ts`, `console`, …; empty for figures. */
  readonly language: string;
  /** The words after the language: `file=policy.yaml`. */
  readonly info: string;
  readonly text: string;
  /** The number of the first line of its text, from 1. */
  readonly line: number;
}

const SKIPPED = new Set(["node_modules", "dist", "testdata", "scenarios", "packed", ".changeset", ".git"]);

export const pages: readonly Page[] = pathsUnder("")
  .filter((path) => path.endsWith(".md"))
  .sort()
  .map(readPage);

function pathsUnder(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return SKIPPED.has(entry.name) ? [] : pathsUnder(path);
  });
}

export function readPage(path: string): Page {
  const text = readFileSync(join(ROOT, path), "utf8");
  return { path, text, blocks: blocksOf(text) };
}

function blocksOf(text: string): readonly Block[] {
  return [...text.matchAll(/^(`{3,})(\w*)(?: ([^\n]*))?\n(.*?)^\1$/gms)].map((match) => {
    const [, , language = "", info = "", body = ""] = match;
    return { language, info, text: body, line: text.slice(0, match.index).split("\n").length + 1 };
  });
}

/** The text without its fenced blocks: the prose. */
export function proseOf({ text }: Page): string {
  return text.replaceAll(/^(`{3,})\w*(?: [^\n]*)?\n.*?^\1$/gms, "");
}

/** The file a block is, by `file=NAME`. */
export function fileOf({ info }: Block): string | undefined {
  return /^file=(\S+)$/.exec(info)?.[1];
}
