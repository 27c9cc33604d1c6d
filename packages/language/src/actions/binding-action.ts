// A policy that no binding enforces: the binding, in a document of its own behind the policy.

import { valueAt } from "@celadon/base";
import { nameOf } from "@celadon/kube";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { File } from "../document/file.ts";
import { resourceAt } from "../navigation/symbol-at.ts";
import type { Action } from "./action.ts";

export function bindingAction(file: File, diagnostic: Diagnostic): Action[] {
  if (diagnostic.code !== "policy_without_binding") return [];
  const placed = resourceAt(file, diagnostic.range.start);
  if (placed === undefined) return [];
  const { object } = placed.resource;
  const end = file.parts.find(({ start }) => start === placed.start)?.end ?? file.text.length;
  const lineEnd = file.text.includes("\r\n") ? "\r\n" : "\n";
  const before = file.text.slice(0, end).endsWith("\n") ? "" : lineEnd;
  const text = before + bindingText(object).replaceAll("\n", lineEnd);
  const edits = new Map([[file.uri, [{ range: { start: end, end }, text }]]]);
  return [
    { title: "Add a binding that enforces the policy", kind: "quickfix", edits, fixes: [diagnostic], preferred: true },
  ];
}

function bindingText(policy: object): string {
  const name = nameOf(policy);
  const kind = valueAt(policy, ["kind"]);
  const params = valueAt(policy, ["spec", "paramKind", "kind"]);
  const lines = [
    "---",
    `apiVersion: ${String(valueAt(policy, ["apiVersion"]))}`,
    `kind: ${String(kind)}Binding`,
    "metadata:",
    `  name: ${name}`,
    "spec:",
    `  policyName: ${name}`,
    ...(kind === "ValidatingAdmissionPolicy" ? ["  validationActions: [Deny]"] : []),
    ...(params === undefined
      ? []
      : ["  paramRef:", "    name: NAME", "    namespace: NAMESPACE", "    parameterNotFoundAction: Deny"]),
  ];
  return `${lines.join("\n")}\n`;
}
