// The limit in a schema that makes a rule affordable, written where it belongs.

import { isRecord, type JsonPath, valueAt } from "@celadon/base";
import { explainCosts, type SuggestedLimit } from "@celadon/crd/rules";
import { fieldPath } from "@celadon/kube/errors";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { File, PlacedResource } from "../document/file.ts";
import { resourceAt } from "../navigation/symbol-at.ts";
import type { TextEdit } from "../text/range.ts";
import type { Action } from "./action.ts";

export function boundAction(file: File, diagnostic: Diagnostic): Action[] {
  if (diagnostic.code !== "cost_over_limit") return [];
  const placed = resourceAt(file, diagnostic.range.start);
  const versions = placed && valueAt(placed.resource.object, ["spec", "versions"]);
  if (placed === undefined || !Array.isArray(versions)) return [];
  const found = versions.flatMap((version, i) => {
    const schema = valueAt(version, ["schema", "openAPIV3Schema"]);
    const path = fieldPath("spec", "versions").index(i).child("schema", "openAPIV3Schema");
    return isRecord(schema) ? explainCosts(schema as Parameters<typeof explainCosts>[0], path) : [];
  });
  return found.flatMap(({ unbounded, bounded, suggested }): Action[] => {
    const action = (limits: readonly SuggestedLimit[]): Action[] => {
      const edits = limits.map(({ path, keyword, limit }) => boundEdit(placed, path.steps, keyword, limit));
      if (limits.length === 0 || !edits.every((edit) => edit !== undefined)) return [];
      const parts = limits.map(({ path, keyword, limit }) => `${keyword}: ${limit} on ${fieldName(path.steps)}`);
      const title = `Set ${parts.join(", ")}`;
      return [{ title, kind: "quickfix", edits: new Map([[file.uri, edits]]), fixes: [diagnostic] }];
    };
    if (suggested.length > 0) return action(suggested);
    return [...unbounded, ...bounded].flatMap(({ path, keyword, largest: limit }) =>
      limit === undefined ? [] : action([{ path, keyword, limit }]),
    );
  });
}

function fieldName(path: JsonPath): string {
  const inside = path.slice(path.indexOf("openAPIV3Schema") + 1);
  return inside.filter((step, i) => step !== "properties" || inside[i - 1] === "properties").join(".");
}

/** In place of the existing limit, or as the first field of the schema. */
function boundEdit(
  { resource, start }: PlacedResource,
  path: JsonPath,
  keyword: string,
  largest: number,
): TextEdit | undefined {
  const { part, document, prefix } = resource;
  const there = document.rangeOf([...prefix, ...path, keyword]);
  if (there !== undefined)
    return { range: { start: start + there.start, end: start + there.end }, text: String(largest) };
  const at = document.positionOf([...prefix, ...path]);
  if (at === undefined) return undefined;
  const insert = start + at.offset;
  if (part.text[at.offset] === "{")
    return { range: { start: insert + 1, end: insert + 1 }, text: ` ${keyword}: ${largest},` };
  const newline = part.text.includes("\r\n") ? "\r\n" : "\n";
  return {
    range: { start: insert, end: insert },
    text: `${keyword}: ${largest}${newline}${" ".repeat(at.column - 1)}`,
  };
}
