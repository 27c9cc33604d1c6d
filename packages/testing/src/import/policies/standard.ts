// Whether a converted policy is one the API server takes. What it does not know, such as a function of another tool, is named.

import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "@celadon/admission";
import type { JsonPath } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import { World } from "@celadon/simulator";
import type { ConversionProblem, PolicySource } from "./converted.ts";

/** Libraries of Kyverno and Gatekeeper that expressions may use there and nowhere else, by how the checker complains. */
const UNKNOWN = /undeclared reference to '([^']*)'/g;
const NO_OVERLOAD = /found no matching overload for '([^']*)'/;

export function acceptable(
  policy: ValidatingAdmissionPolicy,
  bindings: readonly ValidatingAdmissionPolicyBinding[],
  source: PolicySource,
  path: JsonPath,
): readonly ConversionProblem[] {
  const world = World.of([]);
  const objects = [policy, ...bindings] as unknown as readonly KubeObject[];
  return objects.flatMap((object): ConversionProblem[] => {
    const status = world.accepted(object)?.status;
    if (status === undefined) return [];
    const message = status.message ?? "";
    const names = [...new Set([...message.matchAll(UNKNOWN)].map(([, name]) => name!))];
    if (names.length > 0) {
      const what = names.map((name) => JSON.stringify(name)).join(", ");
      return [{ code: "not_standard", source, message: `the API server's CEL has no ${what}`, path }];
    }
    const overload = NO_OVERLOAD.exec(message)?.[1];
    if (overload !== undefined) {
      const text = `the API server's CEL has no such use of ${operatorText(overload)}: ${firstError(message)}`;
      return [{ code: "not_standard", source, message: text, path }];
    }
    const causes = status.details?.causes ?? [];
    const text = causes.length > 0 ? causes.map(({ field, message }) => `${field}: ${message}`).join("; ") : message;
    return [{ code: "refused", source, message: `the API server refuses it: ${text}`, path }];
  });
}

/** `_+_` is how the checker calls `+`. */
const operatorText = (name: string): string => JSON.stringify(name.replaceAll("_", "") || name);

const firstError = (message: string): string => /ERROR: <input>:\d+:\d+: ([^\n]*)/.exec(message)?.[1] ?? message;
