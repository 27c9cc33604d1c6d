// The outline of a file: resources, and in them the expressions with their names.

import { type JsonPath, valueAt } from "@celadon/base";
import { gvkOf, nameOf } from "@celadon/kube";
import type { File, PlacedResource } from "../document/file.ts";
import { expressionsOfResource, type FileExpression } from "../expression/expressions-of.ts";
import { shifted, type TextRange } from "../text/range.ts";

/** An entry of the outline. */
export interface DocumentSymbol {
  readonly name: string;
  readonly detail?: string;
  readonly kind: "resource" | "variable" | "condition" | "rule" | "message" | "annotation" | "mutation";
  readonly range: TextRange;
  /** The range that is shown when the symbol is chosen. */
  readonly selection: TextRange;
  readonly children: readonly DocumentSymbol[];
}

export function documentSymbols(file: File): DocumentSymbol[] {
  return file.parts.flatMap(({ part, start, end }) =>
    part.resources.map((resource): DocumentSymbol => {
      const placed = { uri: file.uri, resource, start };
      const { kind } = gvkOf(resource.object);
      const isWhole = resource.prefix.length === 0;
      const selection = shifted(part.nearestRange(resource, ["metadata", "name"]), start);
      const range = isWhole ? trimmed(file.text, start, end) : selection;
      return {
        name: nameOf(resource.object) === "" ? kind : `${kind} ${nameOf(resource.object)}`,
        kind: "resource",
        range: around(range, selection),
        selection,
        children: expressionsOfResource(placed).map((expression) => expressionSymbol(placed, expression)),
      };
    }),
  );
}

const KINDS: Readonly<Record<string, DocumentSymbol["kind"]>> = {
  matchCondition: "condition",
  variable: "variable",
  validation: "rule",
  rule: "rule",
  messageExpression: "message",
  auditAnnotation: "annotation",
  mutation: "mutation",
};

function expressionSymbol({ resource }: PlacedResource, { path, kind, scalar }: FileExpression): DocumentSymbol {
  const holder = path.slice(0, -1);
  const named =
    textAt(resource.object, [...holder, "name"]) ??
    textAt(resource.object, [...holder, "key"]) ??
    textAt(resource.object, [...holder, "message"]);
  const text = scalar.text.replace(/\s+/g, " ").trim();
  const short = text.length > 60 ? `${text.slice(0, 59)}…` : text;
  return {
    name: kind === "messageExpression" ? "messageExpression" : (named ?? (short === "" ? kind : short)),
    ...(named !== undefined && short !== "" && { detail: short }),
    kind: KINDS[kind] ?? "rule",
    range: scalar.range,
    selection: scalar.range,
    children: [],
  };
}

function textAt(object: unknown, path: JsonPath): string | undefined {
  const value = valueAt(object, path);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function trimmed(text: string, start: number, end: number): TextRange {
  const body = text.slice(start, end);
  return { start, end: start + Math.max(1, body.trimEnd().length) };
}

/** Extends a range so that it contains the inner one, as LSP requires. */
function around(range: TextRange, inner: TextRange): TextRange {
  return { start: Math.min(range.start, inner.start), end: Math.max(range.end, inner.end) };
}
