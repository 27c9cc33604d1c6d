// Lint problems at their places in the files.

import { ignoredBy, LINT_CODES, type LintLevel, type LintProblem } from "@celadon/lint";
import type { Manifest } from "@celadon/simulator/manifests";
import type { PlacedResource } from "../document/file.ts";
import { touchesMask } from "../document/template.ts";
import { shifted, type TextRange } from "../text/range.ts";
import type { Diagnostic, Related, Severity } from "./diagnostic.ts";

const SEVERITIES: Readonly<Record<LintLevel, Severity>> = { error: "error", warning: "warning", note: "information" };

/** The present place of a manifest; undefined when it is gone. */
export type Placed = (manifest: Manifest) => PlacedResource | undefined;

/** Undefined for problems that are switched off, or about text that a template fills in. */
export function lintDiagnostic(problem: LintProblem, placed: Placed): (Diagnostic & { uri: string }) | undefined {
  const { code, level, manifest, message, help, path, suggestion } = problem;
  const place = placed(manifest);
  if (place === undefined || ignoredBy(manifest).codes.has(code)) return undefined;
  const { uri, start } = place;
  const range = problemRange(problem, place);
  if (isFilledIn(place, path, range)) return undefined;
  const related = (problem.related ?? []).flatMap((item): Related[] => {
    const other = placed(item.manifest);
    if (other === undefined) return [];
    const at = other.resource.part.nearestRange(other.resource, item.path);
    return [{ uri: other.uri, range: shifted(at, other.start), message: item.message }];
  });
  return {
    uri,
    code,
    url: LINT_CODES.get(code)!.url,
    severity: SEVERITIES[level],
    range: shifted(range, start),
    message,
    ...(suggestion !== undefined && { suggestion }),
    ...(help !== undefined && { help }),
    ...(related.length > 0 && { related }),
    source: "lint",
  };
}

/** In the part. */
function problemRange({ path, key, offset, length }: LintProblem, { resource }: PlacedResource): TextRange {
  const { part } = resource;
  const inside = offset === undefined ? undefined : part.rangeIn(resource, path, offset, length ?? 1);
  if (inside !== undefined) return nameRange(part.text, inside);
  return part.nearestRange(resource, path, key === true ? "key" : "value");
}

/** The checker points at a dot or at the bracket of a call; the mistake is the name beside it. */
function nameRange(text: string, range: TextRange): TextRange {
  const dot = /^\.\??(?=\w)/.exec(text.slice(range.start, range.end + 1))?.[0].length ?? 0;
  if (dot > 0) return { start: range.start + dot, end: Math.max(range.end, range.start + dot + 1) };
  const name =
    text[range.start] === "(" ? /\w+$/.exec(text.slice(Math.max(0, range.start - 100), range.start))?.[0] : undefined;
  return name === undefined ? range : { start: range.start - name.length, end: range.start };
}

/** An expression that a template completes is not known, in any surroundings. */
function isFilledIn({ resource }: PlacedResource, path: LintProblem["path"], range: TextRange): boolean {
  const { part } = resource;
  if (part.masks.length === 0) return false;
  return touchesMask(part.masks, range) || touchesMask(part.masks, part.rangeOf(resource, path) ?? range);
}
