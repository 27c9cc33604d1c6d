// The texts of the work as files: cut into parts, each read once for its text. Both the objects and the policies come from here.

import type { JsonPath } from "@celadon/base";
import { File, type PlacedResource } from "@celadon/language";
import { WORK_TEXTS, type Work, type WorkText } from "@celadon/language/playground";
import { isSigningRequest, type Manifest, requestAround } from "@celadon/simulator/manifests";
import type { Spot } from "../model/answer.ts";
import type { TextChange } from "../model/protocol.ts";

/** Places show these names. */
export const FILE_NAMES: Readonly<Record<WorkText, string>> = {
  policy: "policy.yaml",
  object: "object.yaml",
  oldObject: "old-object.yaml",
  tests: "tests.yaml",
};

export class Texts {
  readonly #files = new Map<WorkText, File>();
  readonly #signing = new Map<string, Manifest>();

  /** Takes the texts of some work; returns the changed ones. */
  set(work: Work): readonly WorkText[] {
    return WORK_TEXTS.filter((name) => this.#put(name, work[name]));
  }

  change(name: WorkText, changes: readonly TextChange[]): void {
    let text = this.text(name);
    for (const { from, to, insert } of changes.toReversed()) text = text.slice(0, from) + insert + text.slice(to);
    this.#put(name, text);
  }

  #put(name: WorkText, text: string): boolean {
    const before = this.#files.get(name);
    if (before?.text === text) return false;
    this.#files.set(name, new File(name, text, before));
    return true;
  }

  text(name: WorkText): string {
    return this.#files.get(name)?.text ?? "";
  }

  file(name: WorkText): File {
    return this.#files.get(name) ?? new File(name, "");
  }

  /** Objects of a text; a certificate signing request in PEM is the request that would carry it. */
  manifests(name: WorkText): readonly Manifest[] {
    const text = this.text(name);
    if (!isSigningRequest(text))
      return this.file(name)
        .resources()
        .map(({ resource }) => resource.manifest);
    let manifest = this.#signing.get(text);
    if (manifest === undefined) {
      this.#signing.clear();
      manifest = { object: requestAround({ file: "request.csr", text }) };
      this.#signing.set(text, manifest);
    }
    return [manifest];
  }

  /** The problems of a text that could not be read. */
  issues(name: WorkText): readonly { readonly message: string; readonly spot: Spot }[] {
    if (isSigningRequest(this.text(name))) return [];
    return this.file(name).parts.flatMap(({ part, start }) =>
      part.issues.map(({ message, offset }) => {
        const from = start + Math.min(offset, part.text.length);
        return { message, spot: { text: name, from, to: Math.min(from + 1, start + part.text.length) } };
      }),
    );
  }

  /** Documents of a text that are no Kubernetes objects, however well they read. */
  strangers(name: WorkText): number {
    if (isSigningRequest(this.text(name))) return 0;
    return this.file(name).parts.filter(
      ({ part }) =>
        part.documents.some(({ value }) => value !== null && value !== undefined) && part.resources.length === 0,
    ).length;
  }

  /** The place of the value at a path of an object: all of it, even over several lines. */
  spotOf(manifest: Manifest, path: JsonPath): Spot | undefined {
    const found = this.#placed(manifest);
    if (found === undefined) return undefined;
    const { name, placed } = found;
    const { part } = placed.resource;
    const range = part.rangeOf(placed.resource, path) ?? part.nearestRange(placed.resource, path);
    const position = placed.resource.document.rangeOf([...placed.resource.prefix, ...path]);
    const to = position === undefined ? blockEnd(part.text, range.start) : range.end;
    return { text: name, from: placed.start + range.start, to: placed.start + Math.max(to, range.start) };
  }

  /** The place of a part of a string value, such as a part of an expression. */
  spotIn(manifest: Manifest, path: JsonPath, start: number, end: number): Spot | undefined {
    const found = this.#placed(manifest);
    if (found === undefined) return undefined;
    const { name, placed } = found;
    const range = placed.resource.part.rangeIn(placed.resource, path, start, Math.max(end - start, 1));
    return range && { text: name, from: placed.start + range.start, to: placed.start + range.end };
  }

  #placed(manifest: Manifest): { readonly name: WorkText; readonly placed: PlacedResource } | undefined {
    for (const [name, file] of this.#files) {
      const placed = file.resources().find(({ resource }) => resource.manifest === manifest);
      if (placed !== undefined) return { name, placed };
    }
    return undefined;
  }
}

/** The end of a block of YAML: lines that follow and are not indented less than where it starts. */
function blockEnd(text: string, start: number): number {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const column = start - lineStart;
  const isList = text.startsWith("- ", start);
  let end = lineEnd(text, start);
  while (end < text.length) {
    const next = text.slice(end + 1, lineEnd(text, end + 1));
    const indent = next.length - next.trimStart().length;
    const isBlank = next.trim() === "";
    const isSibling = isList && indent === column && !next.startsWith("-", indent);
    if (!isBlank && (indent < column || isSibling)) break;
    end = lineEnd(text, end + 1);
  }
  while (end > start && /\s/.test(text[end - 1]!)) end--;
  return end;
}

function lineEnd(text: string, from: number): number {
  const found = text.indexOf("\n", from);
  return found === -1 ? text.length : found;
}
