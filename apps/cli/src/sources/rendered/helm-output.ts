// The output of `helm template`: a comment above each document names the template that it comes from. Problems are shown there.

import { posix } from "node:path";
import type { Io } from "../../program/io.ts";
import { decodeSource } from "../decode.ts";
import { SourceText } from "../source-text.ts";
import { RenderedText } from "./rendered-text.ts";

const HEAD = /^(?:---\n)?# Source: (\S.*)\n/;
const BETWEEN = /\n(?=---\n# Source: )/;

/** One source for each document, with the places of its template; the text itself if it is not Helm's output. */
export async function byTemplate(
  source: SourceText,
  chart: string | undefined,
  io: Io,
): Promise<readonly SourceText[]> {
  if (!HEAD.test(source.text)) return [source];
  const templates = new Map<string, Promise<SourceText | undefined>>();
  const parts = source.text.split(BETWEEN).map(async (part) => {
    // The text begins with a document of a template, and so does each part.
    const name = HEAD.exec(part)![1]!.trim();
    if (!templates.has(name)) templates.set(name, templateOf(name, chart, io));
    const template = await templates.get(name);
    if (template === undefined) return new SourceText(`<${name}>`, part);
    return new RenderedText(template.file, part, template.text);
  });
  return Promise.all(parts);
}

/** Undefined for the template of a packed chart, and of a chart elsewhere. */
async function templateOf(name: string, chart: string | undefined, io: Io): Promise<SourceText | undefined> {
  const path = posix.normalize(name);
  // The comment may come from anybody: it does not name files of other directories.
  if (posix.isAbsolute(path) || path.startsWith("..")) return undefined;
  const inChart = path.slice(path.indexOf("/") + 1);
  const candidates = chart === undefined ? [path, inChart] : [posix.join(chart, inChart)];
  for (const candidate of candidates) {
    try {
      const source = decodeSource(candidate, await io.files.read(candidate));
      if (source instanceof SourceText) return source;
    } catch {
      // The next candidate may exist.
    }
  }
  return undefined;
}
