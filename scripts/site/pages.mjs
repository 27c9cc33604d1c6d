// The pages of docs/ as HTML: links between them, to their headings and to the repository, anchors, examples with links into the playground.

import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { Marked } from "marked";
import { root } from "../sources.mjs";
import { PAGES } from "../stage-package.mjs";
import { playgroundLinks } from "./examples.mjs";

/** All pages, by their paths below docs/, sorted. */
export function readPages() {
  const docs = join(root, "docs");
  const paths = readdirSync(docs, { recursive: true, encoding: "utf8" }).map((path) => path.replaceAll("\\", "/"));
  const kept = paths.filter((path) => path.endsWith(".md")).sort();
  const pages = new Map(kept.map((path) => [path, parsed(path, readFileSync(join(docs, path), "utf8"))]));
  const decisions = [...pages.values()].filter(({ path }) => path.startsWith("decisions/"));
  const list = decisions.map(({ path, title }) => `- [${title}](${posix.basename(path)})\n`).join("");
  return pages.set("decisions/README.md", parsed("decisions/README.md", `# Decisions\n\n${list}`));
}

function parsed(path, text) {
  // Frontmatter of skills is for assistants.
  const tokens = new Marked().lexer(text.replace(/^---\n.*?\n---\n/s, ""));
  const anchors = new Set();
  const headings = [];
  for (const token of tokens) {
    if (token.type !== "heading") continue;
    token.anchor = anchorOf(token.text, anchors);
    headings.push({ depth: token.depth, text: plain(token.tokens), anchor: token.anchor });
  }
  return { path, tokens, headings, title: headings[0]?.text ?? path, sections: sectionsOf(tokens) };
}

/** As GitHub names them, because the pages are read there too. */
function anchorOf(title, known) {
  const base = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
  let anchor = base;
  for (let i = 1; known.has(anchor); i++) anchor = `${base}-${i}`;
  known.add(anchor);
  return anchor;
}

/** Texts for the search, by the heading they stand under. */
function sectionsOf(tokens) {
  const sections = [];
  for (const token of tokens) {
    if (token.type === "heading") sections.push({ title: plain(token.tokens), anchor: token.anchor, text: "" });
    else if (sections.length > 0) sections.at(-1).text += ` ${textOf(token)}`;
  }
  return sections.map((section) => ({ ...section, text: section.text.replaceAll(/\s+/g, " ").trim() }));
}

function textOf(token) {
  if (token.type === "table")
    return [...token.header, ...token.rows.flat()].map(({ tokens }) => plain(tokens)).join(" ");
  if (token.type === "list") return token.items.map((item) => plain(item.tokens)).join(" ");
  return token.tokens === undefined ? (token.text ?? "") : plain(token.tokens);
}

const plain = (tokens) =>
  (tokens ?? []).map((token) => (token.tokens ? plain(token.tokens) : (token.text ?? ""))).join("");

/** The body of a page. `problems` gets every link that leads nowhere. */
export function bodyOf(page, pages, problems) {
  const links = playgroundLinks(page.tokens);
  const up = "../".repeat(page.path.split("/").length + 1);
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, anchor }) {
        const text = this.parser.parseInline(tokens);
        return `<h${depth} id="${anchor}">${text} <a class="anchor" href="#${anchor}" aria-label="link to this section">#</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${escaped(hrefOf(href, page, pages, problems))}">${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text }) {
        return `<img src="${escaped(href)}" alt="${escaped(text)}" loading="lazy">`;
      },
      code(token) {
        const language = (token.lang ?? "").split(" ")[0];
        const file = /\bfile=(\S+)/.exec(token.lang ?? "")?.[1];
        const title = file === undefined ? "" : `<figcaption>${escaped(file)}</figcaption>`;
        const fragment = links.get(token);
        const open =
          fragment === undefined ? "" : `<a class="try" href="${up}index.html#${fragment}">Open in the playground</a>`;
        return `<figure class="code">${title}<pre tabindex="0"><code class="language-${escaped(language)}">${codeOf(language, token.text)}</code></pre>${open}</figure>\n`;
      },
      table(token) {
        const row = (cells, tag) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("")}</tr>`;
        const head = token.header.some(({ text }) => text !== "") ? `<thead>${row(token.header, "th")}</thead>` : "";
        return `<div class="table" tabindex="0"><table>${head}<tbody>${token.rows.map((cells) => row(cells, "td")).join("")}</tbody></table></div>\n`;
      },
      html({ text }) {
        return /^<!--/.test(text) ? "" : escaped(text);
      },
    },
  });
  return marked.parser(page.tokens);
}

/** In a session, commands stand out from their output. */
function codeOf(language, text) {
  if (language !== "console") return escaped(text);
  const mark = (line) => (line.startsWith("$ ") ? `<b>${escaped(line)}</b>` : escaped(line));
  return text.split("\n").map(mark).join("\n");
}

function hrefOf(href, page, pages, problems) {
  if (/^[a-z]+:/.test(href)) return href;
  const [target = "", anchor] = href.split("#");
  const path = target === "" ? page.path : posix.join(posix.dirname(page.path), target);
  const named = path.endsWith("/") || path === "." ? posix.join(path, "README.md") : path;
  const found = pages.get(named);
  if (found === undefined) {
    if (named.startsWith("pictures/")) return href;
    return new URL(posix.join("docs", path), PAGES).href;
  }
  if (anchor !== undefined && !found.headings.some((heading) => heading.anchor === anchor))
    problems.push(`${page.path}: ${href}`);
  const relative = posix.relative(posix.dirname(page.path), htmlPath(named));
  return target === "" ? `#${anchor}` : `${relative}${anchor === undefined ? "" : `#${anchor}`}`;
}

/** `guides/ci.md` is `guides/ci.html`, and `README.md` the index of its directory. */
export const htmlPath = (path) => path.replace(/README\.md$/, "index.html").replace(/\.md$/, ".html");

export const escaped = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
