// Fields of the documents for machines, as docs/reference/output.md tells them and as they come. On the page every kind has a section
// with a table; the first cell has paths: `[]` steps into a list, `.*` means everything below, `.b` after `a.x` means `a.b`. A row that
// links to another section of the page, such as `[outcome](#outcome)`, has the fields of that section below it.

import type { Page } from "./pages.ts";

/** Paths by the title of their section. */
export type Sections = ReadonlyMap<string, readonly string[]>;

export function sectionsOf({ text }: Page): Sections {
  const sections = new Map<string, string[]>();
  for (const section of text.split(/^## /m).slice(1)) {
    const title = section.slice(0, section.indexOf("\n"));
    const rows = [...section.matchAll(/^\| (`[^|]*`) \|(.*)\|$/gm)];
    if (rows.length > 0)
      sections.set(
        title,
        rows.flatMap(([, cell, words]) => pathsOf(cell!, words!)),
      );
  }
  return sections;
}

function pathsOf(cell: string, words: string): readonly string[] {
  const paths: string[] = [];
  for (const [, path = ""] of cell.matchAll(/`([^`]*)`/g)) {
    const parent = paths.at(-1)?.replace(/\.?[^.]*$/, "") ?? "";
    paths.push(path.startsWith(".") ? `${parent}${path}` : path);
  }
  const link = /\]\(#([a-z-]+)\)/.exec(words)?.[1];
  return link === undefined ? paths : paths.map((path) => `${path}#${link}`);
}

/** A field as a kind of document has it, and where the page tells it. */
export interface Field {
  readonly path: string;
  /** `Outcome: problems[].message` */
  readonly told: string;
}

/** All fields of a section, including those of linked sections. One that links to itself is expanded once more, then left open. */
export function fieldsOf(sections: Sections, title: string, above: readonly string[] = []): readonly Field[] {
  const inside = [...above, title];
  return (sections.get(title) ?? []).flatMap((row): readonly Field[] => {
    const [path = "", link] = row.split("#");
    const own = { path, told: `${title}: ${path}` };
    if (link === undefined) return [own];
    const target = [...sections.keys()].find((name) => name.toLowerCase().replaceAll(" ", "-") === link);
    if (target === undefined) throw new Error(`no section "${link}"`);
    if (inside.filter((text) => text === target).length > 1) return [own, { path: `${path}.*`, told: own.told }];
    const below = fieldsOf(sections, target, inside).map((field) => ({ ...field, path: `${path}.${field.path}` }));
    return [own, ...below];
  });
}

/** Paths of everything a document holds, lists stepped into. */
export function pathsIn(value: unknown, path = ""): readonly string[] {
  if (Array.isArray(value)) return [path, ...value.flatMap((item) => pathsIn(item, `${path}[]`))];
  if (typeof value !== "object" || value === null) return [path];
  const below = Object.entries(value).flatMap(([key, item]) => pathsIn(item, path === "" ? key : `${path}.${key}`));
  return path === "" ? below : [path, ...below];
}

/** Paths that occurred and are not documented. A path is also documented by those below it. */
export function untoldIn(fields: readonly Field[], came: Iterable<string>): readonly string[] {
  const told = fields.map(({ path }) => path);
  const open = told.filter((path) => path.endsWith(".*")).map((path) => path.slice(0, -2));
  const isTold = (path: string): boolean =>
    told.some((text) => bare(text) === path || isBelow(text, path)) || open.some((text) => isBelow(path, bare(text)));
  return [...new Set([...came].map(bare))].filter((path) => !isTold(path)).sort();
}

/** Fields that occurred. */
export function seenOf(fields: readonly Field[], came: ReadonlySet<string>): readonly Field[] {
  return fields.filter(({ path }) => [...came].some((text) => bare(text) === bare(path) || isBelow(text, bare(path))));
}

const bare = (path: string): string => path.replace(/(?:\.\*|\[\])+$/, "");

const isBelow = (path: string, above: string): boolean => path.startsWith(`${above}.`) || path.startsWith(`${above}[]`);
