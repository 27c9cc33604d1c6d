// A policy that no binding enforces: the binding, in a document of its own behind the policy.

import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { File } from "../document/file.ts";
import { resourceAt } from "../navigation/symbol-at.ts";
import type { Action } from "./action.ts";
import { bindingEdit } from "./binding-edit.ts";

export function bindingAction(file: File, diagnostic: Diagnostic): Action[] {
  if (diagnostic.code !== "policy_without_binding") return [];
  const placed = resourceAt(file, diagnostic.range.start);
  if (placed === undefined) return [];
  const edits = new Map([[file.uri, [bindingEdit(file, placed)]]]);
  return [
    { title: "Add a binding that enforces the policy", kind: "quickfix", edits, fixes: [diagnostic], preferred: true },
  ];
}
