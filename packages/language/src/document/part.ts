// One document of a file: a stretch of YAML or JSON between `---` lines, read by itself. A part is known by its text alone, so that
// it stays the same, with everything found out about it, when other parts of the file change. Offsets in it are its own.

import { isRecord, type JsonObject, type JsonPath, own } from "@celadon/base";
import { Double } from "@celadon/cel";
import type { KubeObject } from "@celadon/kube";
import { type ReadDocument, type ReadIssue, type ReadOptions, readDocuments } from "@celadon/kube/read";
import type { Manifest, Origin } from "@celadon/simulator/manifests";
import { parseAllDocuments } from "yaml";
import { lineEnd, type TextRange } from "../text/range.ts";
import { maskTemplate } from "./template.ts";

/** A Kubernetes object in a part: the document itself, an item of a List, or one written inside a test suite. */
export interface Resource {
  readonly manifest: Manifest;
  readonly object: KubeObject;
  readonly part: Part;
  readonly document: ReadDocument;
  /** The place of the object in the document. */
  readonly prefix: JsonPath;
  /** Written inside a test suite: it is in no cluster but the suite's. */
  readonly inSuite: boolean;
}

/** As kubectl reads files: the last of several equal keys counts, with a warning. */
const OPTIONS: ReadOptions = { foldYamlDoubles: true, duplicateKeys: "warn", double: (n) => new Double(n) };

/** A document of a file, known by its text alone. */
export class Part {
  readonly text: string;
  readonly isJson: boolean;
  /** Instructions of templates. */
  readonly masks: readonly TextRange[];
  readonly documents: readonly ReadDocument[];
  readonly issues: readonly ReadIssue[];
  /** About text that does not count. */
  readonly warnings: readonly ReadIssue[];
  readonly resources: readonly Resource[];
  #loose: { readonly value: unknown } | undefined;
  readonly #masked: string;

  constructor(text: string) {
    const { text: masked, masks } = maskTemplate(text);
    this.text = text;
    this.#masked = masked;
    this.masks = masks;
    this.isJson = /^\ufeff?\s*[{[]/.test(text);
    const { documents, issues, warnings } = readDocuments(masked, OPTIONS);
    this.documents = documents;
    this.issues = issues;
    this.warnings = warnings;
    this.resources = documents.flatMap((document) => resourcesIn(this, document, document.value, []));
  }

  /** The value as far as the text can be read; for help while typing, not for judging. */
  get value(): unknown {
    if (this.documents.length > 0) return this.documents[0]!.value;
    this.#loose ??= { value: readLoosely(this.#masked) };
    return this.#loose.value;
  }

  /** The range of a field's value, or with "key" of its name: as it is written, on its first line where it goes over several. */
  rangeOf({ document, prefix }: Resource, path: JsonPath, part: "value" | "key" = "value"): TextRange | undefined {
    const whole = [...prefix, ...path];
    const position = document.positionOf(whole, part);
    if (position === undefined) return undefined;
    const start = position.offset;
    if (part === "key") return { start, end: start + keyLength(this.text, start) };
    const scalar = document.rangeOf(whole);
    if (scalar === undefined) return { start, end: lineEnd(this.text, start) };
    const isBlock = scalar.style === "literal" || scalar.style === "folded";
    return { start: scalar.start, end: isBlock ? scalar.end : Math.max(scalar.end, scalar.start) };
  }

  /** The same, or of the nearest part of the object that is written down. */
  nearestRange(resource: Resource, path: JsonPath, part: "value" | "key" = "value"): TextRange {
    for (let length = path.length; length > 0; length--) {
      const steps = path.slice(0, length);
      // A missing field is shown at its nearest parent.
      const wanted = length < path.length || !isScalarAt(resource, steps) ? "key" : part;
      const found = this.rangeOf(resource, steps, wanted) ?? this.rangeOf(resource, steps);
      if (found !== undefined) return { start: found.start, end: Math.min(found.end, lineEnd(this.text, found.start)) };
    }
    const start = resource.document.positionOf(resource.prefix)?.offset ?? 0;
    return { start, end: lineEnd(this.text, start) };
  }

  /** The range of some units of the text at the path. */
  rangeIn({ document, prefix }: Resource, path: JsonPath, offset: number, length: number): TextRange | undefined {
    const whole = [...prefix, ...path];
    const start = document.positionIn(whole, offset)?.offset;
    if (start === undefined) return undefined;
    const end = document.positionIn(whole, offset + Math.max(1, length))?.offset ?? start + Math.max(1, length);
    return { start, end: Math.max(start, end) };
  }
}

function isScalarAt({ document, prefix }: Resource, path: JsonPath): boolean {
  return document.rangeOf([...prefix, ...path]) !== undefined;
}

function keyLength(text: string, start: number): number {
  const rest = text.slice(start, lineEnd(text, start));
  const written = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^:\s][^:]*(?=:)|\S+)/.exec(rest)?.[0];
  return written?.trimEnd().length ?? 1;
}

function resourcesIn(
  part: Part,
  document: ReadDocument,
  value: unknown,
  prefix: JsonPath,
  inSuite = false,
): Resource[] {
  if (!isRecord(value)) return [];
  const items = own(value, "items");
  const [apiVersion, kind] = [own(value, "apiVersion"), own(value, "kind")];
  if (typeof kind === "string" && kind.endsWith("List") && Array.isArray(items)) {
    return items.flatMap((item, i) => resourcesIn(part, document, item, [...prefix, "items", i], inSuite));
  }
  if (typeof apiVersion !== "string" || typeof kind !== "string" || apiVersion === "" || kind === "") return [];
  const object = value as KubeObject;
  const origin: Origin = {
    file: "",
    positionOf: (path, which) => document.positionOf([...prefix, ...path], which),
    positionIn: (path, offset) => document.positionIn([...prefix, ...path], offset),
    lineText: (line) => document.lineText(line),
  };
  const itself = { manifest: { object, origin }, object, part, document, prefix, inSuite };
  return [itself, ...(apiVersion.startsWith("celadon.dev/") ? suiteResources(part, document, value, prefix) : [])];
}

/** Objects that a test suite holds itself. */
function suiteResources(part: Part, document: ReadDocument, value: JsonObject, prefix: JsonPath): Resource[] {
  return ["resources", "objects"].flatMap((field) => {
    const list = own(value, field);
    return (Array.isArray(list) ? list : []).flatMap((item, i) =>
      resourcesIn(part, document, item, [...prefix, field, i], true),
    );
  });
}

function readLoosely(text: string): unknown {
  try {
    const parsed = parseAllDocuments(text, { uniqueKeys: false, prettyErrors: false, logLevel: "silent", merge: true });
    const [first] = Array.isArray(parsed) ? parsed : [];
    return first?.toJS({ maxAliasCount: 100 });
  } catch {
    return undefined;
  }
}
