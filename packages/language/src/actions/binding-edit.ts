// The binding that enforces a policy, in a document of its own behind the policy.

import { valueAt } from "@celadon/base";
import { type KubeObject, nameOf, namespaceOf } from "@celadon/kube";
import type { File, PlacedResource } from "../document/file.ts";
import type { TextEdit } from "../text/range.ts";

/** A binding of a policy, as an edit behind it; `params` is the object that its params refer to. */
export function bindingEdit(file: File, placed: PlacedResource, params?: KubeObject): TextEdit {
  const { object } = placed.resource;
  const end = file.parts.find(({ start }) => start === placed.start)?.end ?? file.text.length;
  const lineEnd = file.text.includes("\r\n") ? "\r\n" : "\n";
  const before = file.text.slice(0, end).endsWith("\n") ? "" : lineEnd;
  const text = before + bindingText(object, params).replaceAll("\n", lineEnd);
  return { range: { start: end, end }, text };
}

function bindingText(policy: object, given?: KubeObject): string {
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
      : [
          "  paramRef:",
          `    name: ${given === undefined ? "NAME" : nameOf(given)}`,
          ...(given !== undefined && namespaceOf(given) === ""
            ? []
            : [`    namespace: ${given === undefined ? "NAMESPACE" : namespaceOf(given)}`]),
          "    parameterNotFoundAction: Deny",
        ]),
  ];
  return `${lines.join("\n")}\n`;
}
