// The documentation as a static site: node scripts/site/build.mjs [DIRECTORY]. Every version has a directory of its own below docs/, beside the
// playground, so that a release adds one and changes no other. Why not a framework: docs/decisions/0029-the-site-is-built-by-us.md.

import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../sources.mjs";
import { bodyOf, escaped, htmlPath, readPages } from "./pages.mjs";

const { version } = JSON.parse(readFileSync(join(root, "apps/cli/package.json"), "utf8"));

/** The files of the site by path. An error names all links that lead nowhere. */
export function siteFiles() {
  const pages = readPages();
  const problems = [];
  const menu = menuOf(pages.get("README.md").tokens, pages);
  const files = new Map();
  const at = `docs/${version}`;
  for (const page of pages.values()) {
    const body = bodyOf(page, pages, problems);
    files.set(`${at}/${htmlPath(page.path)}`, htmlOf(page, body, menu));
  }
  if (problems.length > 0) throw new Error(`links that lead nowhere:\n${problems.join("\n")}`);
  files.set(`${at}/search.json`, JSON.stringify(searchIndex(pages)));
  for (const name of ["site.css", "site.js"])
    files.set(`${at}/${name}`, readFileSync(new URL(`static/${name}`, import.meta.url)));
  for (const name of readdirSync(join(root, "docs/pictures")))
    files.set(`${at}/pictures/${name}`, readFileSync(join(root, "docs/pictures", name)));
  for (const name of readdirSync(join(root, "docs/reference")).filter((file) => file.endsWith(".json")))
    files.set(`${at}/reference/${name}`, readFileSync(join(root, "docs/reference", name)));
  files.set("docs/versions.json", JSON.stringify([version]));
  files.set("docs/index.html", redirect(`${version}/index.html`));
  return files;
}

/** The groups of the index, with the pages of each in its order. */
function menuOf(tokens, pages) {
  const groups = [];
  for (const token of tokens) {
    if (token.type !== "table") continue;
    const entries = token.rows.flatMap(([{ text }]) =>
      [...text.matchAll(/\[([^\]]+)\]\(([^)#]+\.md)\)/g)]
        .filter(([, , path]) => pages.has(path))
        .map(([, title, path]) => ({ title: title.replaceAll("`", ""), path })),
    );
    if (entries.length > 0) groups.push({ title: token.header[0].text, entries });
  }
  return groups;
}

function htmlOf({ path, title, headings }, body, menu) {
  const up = "../".repeat(path.split("/").length - 1);
  const groups = menu.map(({ title: group, entries }) => {
    const items = entries.map(
      (entry) =>
        `<li><a href="${up}${htmlPath(entry.path)}"${entry.path === path ? ' aria-current="page"' : ""}>${escaped(entry.title)}</a></li>`,
    );
    return `<h2>${escaped(group)}</h2><ul>${items.join("")}</ul>`;
  });
  const contents = headings
    .filter(({ depth }) => depth === 2)
    .map(({ text, anchor }) => `<li><a href="#${anchor}">${escaped(text)}</a></li>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'">
<title>${escaped(title)} · Celadon</title>
<link rel="icon" href="${up}../../icon.svg">
<link rel="stylesheet" href="${up}site.css">
<script src="${up}site.js" type="module"></script>
</head>
<body data-up="${up}" data-version="${version}">
<a class="skip" href="#main">Skip to the page</a>
<header>
<a class="name" href="${up}index.html">Celadon</a>
<label class="version">version <select id="version"><option>${version}</option></select></label>
<div class="search"><input id="search" type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="found"><ul id="found" role="listbox" hidden></ul></div>
<a href="${up}../../index.html">Playground</a>
<button id="menu-button" aria-expanded="false" aria-controls="menu">Pages</button>
</header>
<div class="columns">
<nav id="menu" aria-label="Pages">${groups.join("")}</nav>
<main id="main">${body}</main>
<nav class="contents" aria-label="On this page">${contents.length > 1 ? `<h2>On this page</h2><ul>${contents.join("")}</ul>` : ""}</nav>
</div>
</body>
</html>
`;
}

/** Sections with their words; a browser searches them. */
function searchIndex(pages) {
  return [...pages.values()]
    .filter(({ path }) => !path.startsWith("decisions/"))
    .flatMap(({ path, title, sections }) =>
      sections.map((section) => ({
        page: title,
        href: section.title === title ? htmlPath(path) : `${htmlPath(path)}#${section.anchor}`,
        title: section.title,
        text: section.text.slice(0, 4000),
      })),
    );
}

const redirect = (to) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Celadon</title><meta http-equiv="refresh" content="0; url=${to}"></head>
<body><a href="${to}">The documentation</a></body></html>
`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [directory = join(root, "site")] = process.argv.slice(2);
  cpSync(join(root, "apps/cli/dist/site"), directory, { recursive: true, filter: (file) => !file.endsWith(".br") });
  for (const [path, data] of siteFiles()) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), data);
  }
  console.log(`${directory}: playground and documentation ${version}`);
}
