// A name that is almost one: the nearest of what completion offers at its place.

import { nearestName } from "@celadon/base";
import { completeAt } from "../completion/complete-at.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { File } from "../document/file.ts";
import type { Known } from "../known.ts";
import type { TextRange } from "../text/range.ts";
import type { Action } from "./action.ts";

const CODES: ReadonlySet<string> = new Set([
  "compile_error",
  "type_mismatch",
  "type_mismatch_by_wildcard",
  "unknown_field",
  "invalid_field",
  "dangling_policy_name",
  "missing_param",
  "unknown_resource",
  "unknown_param_kind",
]);

export function spellingAction(workspace: Known, file: File, diagnostic: Diagnostic): Action[] {
  if (!CODES.has(diagnostic.code)) return [];
  const { start, end } = diagnostic.range;
  const written = file.text.slice(start, end);
  const word = /^["']?([\w./-]+)["']?$/.exec(written)?.[1];
  if (word === undefined) return [];
  const inside = start + (/^["']/.test(written) ? 1 : 0);
  const whole = { start: inside, end: inside + word.length };
  if (diagnostic.suggestion !== undefined) return [correction(file, whole, diagnostic.suggestion, diagnostic)];
  const { items, range } = completeAt(workspace, file, inside + 1);
  const names = items.flatMap(({ label, kind, detail }) =>
    kind === "snippet" || label === word || detail === "used in this expression" ? [] : [label],
  );
  const same = names.find((name) => name.toLowerCase() === word.toLowerCase());
  const guess = same ?? nearestName(word, names);
  if (guess === undefined || guess === word) return [];
  const at = range.start <= inside && range.end >= inside + word.length ? whole : undefined;
  return at === undefined ? [] : [correction(file, at, guess, diagnostic)];
}

function correction(file: File, range: TextRange, name: string, diagnostic: Diagnostic): Action {
  const edits = new Map([[file.uri, [{ range, text: name }]]]);
  return { title: `Change to "${name}"`, kind: "quickfix", edits, fixes: [diagnostic], preferred: true };
}
