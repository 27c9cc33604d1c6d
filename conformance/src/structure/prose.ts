// The prose of the sources: sentences of comments, titles of tests, and texts that users read, each with its place.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT, read } from "./tree.ts";

/** A text with its place. */
export interface Prose {
  readonly place: string;
  readonly text: string;
}

const DIRECTORIES = ["packages", "apps", "bench", "conformance", "examples", "faults", "fuzz", "scripts"];
const SKIPPED = /(?:^|\/)(?:node_modules|dist|generated|testdata|packed)(?:\/|$)/;

/** Files written by people, from the root of the repository. */
export function writtenFiles(): string[] {
  return DIRECTORIES.flatMap((directory) =>
    readdirSync(join(ROOT, directory), { recursive: true, encoding: "utf8" })
      .map((name) => `${directory}/${name}`)
      .filter((name) => /\.(?:ts|tsx|mjs)$/.test(name) && !SKIPPED.test(name)),
  );
}

/** The sentences of the comments of a file that stand on lines of their own, without code in backticks. */
export function commentSentences(file: string): Prose[] {
  const lines = read(file).split("\n");
  const found: Prose[] = [];
  for (let i = 0; i < lines.length; i++) {
    const opening = /^\s*(\/\/|\/\*\*)\s?(.*)$/.exec(lines[i]!);
    if (opening === null) continue;
    const place = `${file}:${i + 1}`;
    const words = [opening[2]!];
    if (opening[1] === "//") {
      while (/^\s*\/\//.test(lines[i + 1] ?? "")) words.push(lines[++i]!.replace(/^\s*\/\/\s?/, ""));
    } else {
      while (!lines[i]!.includes("*/") && i + 1 < lines.length) words.push(lines[++i]!.replace(/^\s*\*\/?\s?/, ""));
    }
    found.push(...paragraphs(words).flatMap((text) => sentences(text).map((sentence) => ({ place, text: sentence }))));
  }
  return found;
}

/** Tables, commands, lists of forms and directives are no sentences. */
function paragraphs(lines: readonly string[]): string[] {
  const texts: string[] = [];
  let current: string[] = [];
  const end = (): void => {
    if (current.length > 0) texts.push(current.join(" "));
    current = [];
  };
  for (const line of lines) {
    const text = line.replace("*/", "").trimEnd();
    if (text.trim() === "") end();
    else if (/^\s{2,}\S|\S {2,}\S|^\s*(?:[-*|·]\s|\d+\.\s|@\w|biome-ignore|npm run|node )/.test(text)) end();
    else current.push(text.trim());
  }
  end();
  return texts;
}

function sentences(text: string): string[] {
  return text
    .replaceAll(/`[^`]*`/g, "x")
    .split(/(?<=[.;])\s+/)
    .map((sentence) => sentence.trim());
}

/** The titles of the tests of a file. */
export function titles(file: string): Prose[] {
  return texts(
    file,
    /\b(?:test|describe|it)(?:\.\w+)*\(\s*"((?:[^"\\\n]|\\.)+)"|\)\("((?:[^"\\\n]|\\.)+)", (?:async )?\(/g,
  );
}

/** Texts of some words that are written in the code of a file: help, messages, advice. */
export function literals(file: string): Prose[] {
  return texts(file, /(?<![\w`])"((?:[^"\\\n]|\\.){16,})"|`((?:[^`\\\n]|\\.){16,})`/g).filter(({ text }) =>
    /\w \w+ \w+ \w/.test(text),
  );
}

function texts(file: string, pattern: RegExp): Prose[] {
  const text = read(file);
  const code = text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, (line) => " ".repeat(line.length));
  return Array.from(code.matchAll(pattern), (match) => ({
    place: `${file}:${code.slice(0, match.index).split("\n").length}`,
    text: (match[1] ?? match[2])!.replaceAll(/\$\{[^}]*\}/g, "x"),
  }));
}
