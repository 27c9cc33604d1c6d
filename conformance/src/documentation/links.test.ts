// Links lead somewhere, and every page of docs/ is reached from its index.

import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";
import { type Page, pages, proseOf, ROOT } from "./pages.ts";

interface Link {
  /** From the root. */
  readonly path: string;
  readonly heading: string | undefined;
}

function linksOf(page: Page): readonly Link[] {
  // A pattern such as `[a-z](x)` in code is no link; a link's text may be code all the same.
  const prose = proseOf(page).replaceAll(/`[^`\n]*\[[^`\n]*`/g, "``");
  return [...prose.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(([, target = "", heading]) => ({
    path: target === "" ? page.path : posix.join(posix.dirname(page.path), target),
    heading,
  }));
}

const byPath = new Map(pages.map((page) => [page.path, page]));

test.each(pages)("$path", (page) => {
  const broken = linksOf(page).filter(({ path, heading }) => {
    if (!existsSync(join(ROOT, path))) return true;
    const target = byPath.get(path);
    return heading !== undefined && target !== undefined && !headingsOf(target).includes(heading);
  });
  expect(broken.map(({ path, heading }) => `${path}${heading === undefined ? "" : `#${heading}`}`)).toEqual([]);
});

/** The anchors that GitHub gives headings. */
function headingsOf(page: Page): readonly string[] {
  return [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test("every page is linked from the index of its folder, or from docs/README.md", () => {
  const indexes = pages.filter(
    ({ path }) => path === "docs/README.md" || path === "docs/reference/libraries/README.md",
  );
  const linked = indexes.flatMap(linksOf).map(({ path }) => path);
  const orphans = pages
    .map(({ path }) => path)
    .filter((path) => path.startsWith("docs/") && path !== "docs/README.md")
    .filter((path) => !linked.includes(path) && !linked.includes(`${posix.dirname(path)}/`));
  expect(orphans).toEqual([]);
});

test("every package and program has a page, linked from README.md", () => {
  const linked = linksOf(byPath.get("README.md")!).map(({ path }) => path);
  const folders = ["packages", "apps"].flatMap((folder) =>
    pages.map(({ path }) => path).filter((path) => path.startsWith(`${folder}/`) && path.endsWith("/README.md")),
  );
  expect(folders.filter((path) => !linked.includes(path))).toEqual([]);
});
