// The actions at a place: fix an error, guard an optional read, write an expression as a block, add a missing resource.

import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { File } from "../document/file.ts";
import type { Known } from "../known.ts";
import type { TextRange } from "../text/range.ts";
import type { Action } from "./action.ts";
import { bindingAction } from "./binding-action.ts";
import { blockActions } from "./block-action.ts";
import { boundAction } from "./bound-action.ts";
import { guardActions } from "./guard-actions.ts";
import { spellingAction } from "./spelling-action.ts";

/** `diagnostics` are those that the client shows in the range. */
export function actionsAt(
  workspace: Known,
  file: File,
  range: TextRange,
  diagnostics: readonly Diagnostic[],
): Action[] {
  const about = diagnostics.filter(
    (diagnostic) => diagnostic.range.start <= range.end && range.start <= diagnostic.range.end,
  );
  return [
    ...about.flatMap((diagnostic) => spellingAction(workspace, file, diagnostic)),
    ...about.flatMap((diagnostic) => boundAction(file, diagnostic)),
    ...about.flatMap((diagnostic) => bindingAction(file, diagnostic)),
    ...blockActions(file, range, about),
    ...guardActions(workspace, file, range),
  ];
}

/** Every correction of a misspelt name that is certain enough, at once. */
export function fixAll(workspace: Known, file: File, diagnostics: readonly Diagnostic[]): Action[] {
  const fixes = diagnostics.flatMap((diagnostic) => spellingAction(workspace, file, diagnostic));
  if (fixes.length === 0) return [];
  const edits = fixes.flatMap((fix) => fix.edits.get(file.uri) ?? []);
  const apart = edits
    .sort((a, b) => a.range.start - b.range.start)
    .filter((edit, i, all) => i === 0 || edit.range.start >= all[i - 1]!.range.end);
  return [{ title: "Correct all misspelt names", kind: "source.fixAll.celadon", edits: new Map([[file.uri, apart]]) }];
}
