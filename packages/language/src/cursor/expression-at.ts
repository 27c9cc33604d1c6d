// The expression a cursor is in: its object, its path, its text, and the way between the two.

import type { JsonPath } from "@celadon/base";
import { isRecord, valueAt } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import { expressionsIn } from "@celadon/simulator/manifests";
import type { File } from "../document/file.ts";
import { type ScalarText, scalarText } from "../document/scalar-text.ts";
import { siteSystem } from "../expression/sites.ts";
import { touches } from "../text/range.ts";
import { looseScalar } from "./loose-scalar.ts";
import { type YamlCursor, yamlCursor } from "./yaml-cursor.ts";

export interface ExpressionAt {
  readonly object: KubeObject;
  readonly path: JsonPath;
  /** Offsets refer to the file. */
  readonly scalar: ScalarText;
  /** The cursor, in the expression's text. */
  readonly offset: number;
}

export interface CursorAt {
  readonly expression?: ExpressionAt;
  /** The object that the document is, as far as it can be read. */
  readonly object?: KubeObject;
  /** The cursor in the part; add `start` for the file. */
  readonly cursor?: YamlCursor;
  readonly start: number;
}

export function cursorAt(file: File, offset: number): CursorAt {
  const { part, start } = file.partAt(offset);
  const inPart = offset - start;
  const written = readExpression(file, offset);
  if (written !== undefined) return { expression: written, object: written.object, start };
  const cursor = yamlCursor(part.text, inPart);
  const whole = part.value;
  if (cursor === undefined) return isRecord(whole) ? { object: whole as KubeObject, start } : { start };
  const { object, prefix } = objectAt(whole, cursor.path);
  if (object === undefined) return { cursor, start };
  const path = cursor.path.slice(prefix);
  const value = asValue(cursor, object, path);
  if (value === undefined || siteSystem(object, path) === undefined) return { object, cursor, start };
  const scalar = moved(looseScalar(part.text, value), start);
  return { expression: { object, path, scalar, offset: scalar.toValue(offset) }, object, cursor, start };
}

/** Reads the expression at an offset of a document that parses; for any style, JSON too. */
function readExpression(file: File, offset: number): ExpressionAt | undefined {
  const { part, start } = file.partAt(offset);
  for (const resource of part.resources) {
    for (const { path, text } of expressionsIn(resource.object)) {
      const whole = [...resource.prefix, ...path];
      const range = resource.document.rangeOf(whole);
      if (range === undefined || !touches(range, offset - start)) continue;
      const scalar = scalarText(resource.document, whole, text, start);
      // The header line of a block is not in it.
      if (scalar === undefined || (text !== "" && offset < scalar.toSource(0))) continue;
      if (isBehind(part.text, range.end, offset - start, scalar)) continue;
      return { object: resource.object, path, scalar, offset: scalar.toValue(offset) };
    }
  }
  return undefined;
}

/** A block's range ends at the start of the line below it. */
function isBehind(text: string, end: number, offset: number, { style }: ScalarText): boolean {
  const isBlock = style === "literal" || style === "folded";
  return isBlock && offset === end && text[end - 1] === "\n";
}

/** A word below `expression:` is a value, though it looks like the start of a key. */
function asValue(cursor: YamlCursor, object: KubeObject, path: JsonPath): (YamlCursor & { at: "value" }) | undefined {
  if (cursor.at === "value") return cursor;
  if (!cursor.orValue || siteSystem(object, path) === undefined) return undefined;
  return { at: "value", path: cursor.path, typed: cursor.typed, range: cursor.range, from: cursor.range.start };
}

/** The innermost Kubernetes object on a path: the document, an item of a List, one in a suite. */
function objectAt(
  whole: unknown,
  path: JsonPath,
): { readonly object: KubeObject | undefined; readonly prefix: number } {
  for (const prefix of [3, 2]) {
    const isHeld =
      ["items", "resources", "objects"].includes(String(path[prefix - 2])) && typeof path[prefix - 1] === "number";
    const held = isHeld ? valueAt(whole, path.slice(0, prefix)) : undefined;
    if (isRecord(held) && typeof held.kind === "string") return { object: held as KubeObject, prefix };
  }
  return { object: isRecord(whole) ? (whole as KubeObject) : undefined, prefix: 0 };
}

function moved(scalar: ScalarText, by: number): ScalarText {
  return {
    ...scalar,
    range: { start: scalar.range.start + by, end: scalar.range.end + by },
    toSource: (offset) => scalar.toSource(offset) + by,
    toValue: (source) => scalar.toValue(source - by),
  };
}
