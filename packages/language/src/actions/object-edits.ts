// Changes of fields of an object as edits of its text: scalars are replaced, missing fields are added where they belong, in the style of
// their surroundings. Larger changes are described and left to the author.

import { type JsonPath, valueAt } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import { isMap, isPair, isScalar, parseDocument, stringify, type YAMLMap } from "yaml";
import type { PlacedResource } from "../document/file.ts";
import { fieldText } from "../text/field-text.ts";
import type { TextEdit } from "../text/range.ts";
import type { FieldChange, Flip } from "../verdicts/flip.ts";

/** All changes of a flip. */
export const flipChanges = ({ path, before, after, also = [] }: Flip): readonly FieldChange[] => [
  { path, before, after },
  ...also,
];

/** `Set spec.replicas to 5` */
export function changesText(changes: readonly FieldChange[]): string {
  const shown = changes.length > 3 ? changes.slice(0, 2) : changes;
  const texts = shown.map(({ path, after }, i) => {
    const field = fieldText(path);
    const text = after === undefined ? `Remove ${field}` : `Set ${field} to ${JSON.stringify(after)}`;
    return i === 0 ? text : text.replace(/^(?:Set|Remove)/, (verb) => verb.toLowerCase());
  });
  const rest = changes.length - shown.length;
  return [...texts, ...(rest > 0 ? [`${rest} more`] : [])].join(" and ");
}

/** Undefined where one of the changes cannot be made as an edit. */
export function objectEdits(
  placed: PlacedResource,
  changes: readonly FieldChange[],
  object: KubeObject,
): TextEdit[] | undefined {
  const edits = new Map<string, TextEdit>();
  for (const { path } of changes) {
    const own = placed.resource.object;
    const known = path.findIndex((_, i) => valueAt(own, path.slice(0, i + 1)) === undefined);
    // Fields of one missing holder are written together.
    const whole = known === -1 ? path : path.slice(0, known + 1);
    const value = valueAt(object, whole);
    const edit = known === -1 ? scalarEdit(placed, whole, value) : additionEdit(placed, whole, value);
    if (edit === undefined) return undefined;
    edits.set(JSON.stringify(whole), edit);
  }
  return [...edits.values()].sort((a, b) => a.range.start - b.range.start);
}

function scalarEdit({ resource, start }: PlacedResource, path: JsonPath, after: unknown): TextEdit | undefined {
  const range = resource.document.rangeOf([...resource.prefix, ...path]);
  const isPlain = typeof after === "string" || typeof after === "number" || typeof after === "boolean";
  if (range === undefined || !isPlain || range.style === "literal" || range.style === "folded") return undefined;
  const text = typeof after === "string" && !/^[A-Za-z][\w./-]*$/.test(after) ? JSON.stringify(after) : String(after);
  return { range: { start: start + range.start, end: start + range.end }, text };
}

/** A field behind the last one of its holder. */
function additionEdit({ resource, start }: PlacedResource, path: JsonPath, after: unknown): TextEdit | undefined {
  const { text } = resource.part;
  // The documents of other parts have other numbers.
  if (after === undefined || resource.part.documents.length !== 1 || resource.part.masks.length > 0) return undefined;
  const document = parseDocument(text, { uniqueKeys: false, logLevel: "silent" });
  if (document.errors.length > 0) return undefined;
  const holder = document.getIn([...resource.prefix, ...path.slice(0, -1)], true);
  if (!isMap(holder) || !holder.range) return undefined;
  const found = holder.flow
    ? flowAddition(holder, String(path.at(-1)), after, resource.part.isJson)
    : blockAddition(text, holder, String(path.at(-1)), after);
  return found && { range: { start: start + found.at, end: start + found.at }, text: found.insert };
}

interface Addition {
  readonly at: number;
  readonly insert: string;
}

function flowAddition({ items, range }: YAMLMap, key: string, value: unknown, isJson: boolean): Addition | undefined {
  const last = items.at(-1);
  const written = `${isJson || !/^[\w./-]+$/.test(key) ? JSON.stringify(key) : key}: ${flowText(value, isJson)}`;
  if (last === undefined) return range ? { at: range[0] + 1, insert: isJson ? written : ` ${written} ` } : undefined;
  const end = endOf(last);
  return end === undefined ? undefined : { at: end, insert: `, ${written}` };
}

function flowText(value: unknown, isJson: boolean): string {
  if (isJson) return JSON.stringify(value);
  return stringify(value, { collectionStyle: "flow", lineWidth: 0 }).trimEnd();
}

function blockAddition(text: string, { items, range }: YAMLMap, key: string, value: unknown): Addition | undefined {
  const [first] = items;
  const last = items.at(-1);
  const keyStart = isPair(first) && isScalar(first.key) ? first.key.range?.[0] : undefined;
  const end = last === undefined ? undefined : endOf(last);
  if (keyStart === undefined || end === undefined || !range) return undefined;
  const column = keyStart - (text.lastIndexOf("\n", keyStart - 1) + 1);
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = stringify({ [key]: value }, { lineWidth: 0 })
    .trimEnd()
    .split("\n");
  const block = lines.map((line) => " ".repeat(column) + line).join(lineEnd);
  // Behind the line of the last value, with its comment.
  const next = text.indexOf("\n", Math.max(end - 1, 0));
  return next === -1 ? { at: text.length, insert: lineEnd + block } : { at: next + 1, insert: block + lineEnd };
}

/** The end of the value of a pair, without comments behind it. */
function endOf(pair: YAMLMap["items"][number]): number | undefined {
  const value = pair.value as { readonly range?: readonly number[] | null } | null;
  const key = pair.key as { readonly range?: readonly number[] | null } | null;
  return value?.range?.[1] ?? key?.range?.[1];
}
