// Finds test suites: named files, and in directories those with the kind of a suite, so that a suite may have any name and stand anywhere.

import { posix } from "node:path";
import { nearestName, pushAll } from "@celadon/base";
import type { Manifest } from "@celadon/simulator/manifests";
import { API_VERSION, type Loader, SUITE_KIND, type SuiteSource } from "@celadon/testing";
import { FOREIGN_DIRECTORIES, foreignTool, mayBeForeign } from "@celadon/testing/import";
import type { Io } from "../program/io.ts";
import { type Exclusion, findFiles } from "../sources/find/find.ts";
import { loadManifests, type SourceIssue } from "../sources/index.ts";
import { documentsOf } from "./foreign-documents.ts";
import type { Reach } from "./reach.ts";

const DECLARATION = /^[ "']*apiVersion["']?: *["']?celadon\.dev\//m;

export interface FoundSuites {
  readonly suites: readonly SuiteSource[];
  /** Suites of other tools. */
  readonly foreign: readonly SuiteSource[];
  readonly issues: readonly SourceIssue[];
  /** Files and directories that decide which suites are found. */
  readonly watched: readonly string[];
}

export async function findSuites(paths: readonly string[], io: Io, exclusion?: Exclusion): Promise<FoundSuites> {
  const { files, issues } = await findFiles(paths, "celadon test -", io, FOREIGN_DIRECTORIES, exclusion);
  const suites: SuiteSource[] = [];
  const foreign: SuiteSource[] = [];
  const problems: SourceIssue[] = [...issues.filter(({ code }) => code !== "no_match")];
  for (const { path, named } of files) {
    io.signal.throwIfAborted();
    const mentions = await mentionsSuite(path, named, io);
    if (mentions.foreign) {
      const found = (await documentsOf(path, io)).documents.filter((document) => foreignTool(document) !== undefined);
      pushAll(foreign, found);
      if (found.length > 0 && !mentions.group) continue;
    }
    if (!named && !mentions.own) continue;
    const loaded = await loadManifests([path], { command: "celadon test -" }, io);
    const found = loaded.manifests.filter(isSuite);
    // A broken file that only mentions suites does not matter; one that is a suite must not be left out of a green run.
    if (named || found.length > 0 || mentions.declares) pushAll(problems, loaded.issues);
    pushAll(problems, loaded.manifests.flatMap(misspelt));
    pushAll(
      suites,
      found.map(({ object, origin }) => ({ value: object, origin: origin! })),
    );
    if (named && found.length === 0 && loaded.issues.length === 0) {
      problems.push({
        code: "not_kubernetes",
        file: path,
        message: `has no ${SUITE_KIND}`,
        hint: hintFor(loaded.manifests),
      });
    }
  }
  return { suites, foreign, issues: problems, watched: paths };
}

function isSuite({ object, origin }: Manifest): boolean {
  return object.kind === SUITE_KIND && String(object.apiVersion).startsWith("celadon.dev/") && origin !== undefined;
}

function hintFor(manifests: readonly Manifest[]): string {
  const kinds = new Set(manifests.map(({ object }) => String(object.kind)));
  const found = kinds.size === 0 ? "" : `; found ${[...kinds].slice(0, 3).join(", ")}`;
  return `a suite begins with "apiVersion: ${API_VERSION}" and "kind: ${SUITE_KIND}"${found}`;
}

/** A document of our group whose kind is nearly a suite's: it would be skipped silently. */
function misspelt({ object, origin }: Manifest): SourceIssue[] {
  const { kind, apiVersion } = object as { readonly kind: string; readonly apiVersion: string };
  if (!apiVersion.startsWith("celadon.dev/") || kind === SUITE_KIND) return [];
  if (kind.toLowerCase() !== SUITE_KIND.toLowerCase() && nearestName(kind, [SUITE_KIND]) === undefined) return [];
  const place = origin?.positionOf(["kind"]);
  return [
    {
      code: "not_kubernetes",
      file: origin?.file ?? "",
      ...(place && { line: place.line, column: place.column, lineText: origin?.lineText(place.line) ?? "" }),
      message: `unknown kind '${kind}' of ${apiVersion}; did you mean '${SUITE_KIND}'?`,
    },
  ];
}

interface Mentions {
  readonly own: boolean;
  /** Our group, and not only the word: keys of other tools have it, too. */
  readonly group: boolean;
  /** Says that it is a suite, in a line of its own. */
  readonly declares: boolean;
  readonly foreign: boolean;
}

async function mentionsSuite(path: string, named: boolean, io: Io): Promise<Mentions> {
  if (path === "-") return { own: true, group: true, declares: true, foreign: false };
  try {
    // A pipe can be read once only.
    if (named && (await io.files.kind(path)) === "other")
      return { own: true, group: true, declares: true, foreign: false };
    const text = Buffer.from(await io.files.read(path));
    const group = text.includes("celadon.dev/");
    const own = group || text.includes(SUITE_KIND);
    const declares = own && DECLARATION.test(text.toString("utf8"));
    return { own, group, declares, foreign: mayBeForeign(path, (mark) => text.includes(mark)) };
  } catch {
    // Files of a directory were not named, so unreadable ones are skipped.
    return { own: false, group: false, declares: false, foreign: false };
  }
}

/** Reads the sources of suites from disk, and keeps them. */
export class DiskLoader implements Loader {
  readonly files: Set<string> = new Set();
  readonly #reach: Reach;

  constructor(reach: Reach) {
    this.#reach = reach;
  }

  async load(path: string, from: string): ReturnType<Loader["load"]> {
    const resolved = resolveFrom(path, from);
    const { manifests, issues, files } = await loadManifests([resolved], { command: "celadon test" }, this.#reach.io);
    for (const file of [resolved, ...files]) this.files.add(file);
    return {
      manifests,
      issues: issues.map(({ file, line, column, message, hint = this.#reach.hintFor(file) }) => ({
        message: line === undefined ? `${file}: ${message}` : message,
        ...(hint !== undefined && { hint }),
        file,
        ...(line !== undefined && { line }),
        ...(column !== undefined && { column }),
      })),
    };
  }
}

function resolveFrom(path: string, from: string): string {
  const directory = from === "-" ? "." : posix.dirname(from.replaceAll("\\", "/"));
  return posix.isAbsolute(path) ? path : posix.join(directory, path);
}
