// Whether a converted policy is one the API server takes. Unknown names, such as a function of another tool, are reported.

import type { Binding, Policy } from "@celadon/admission/policy";
import type { JsonPath } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import { fieldErrorText } from "@celadon/kube/errors";
import { acceptSetUp } from "@celadon/simulator";
import type { ConversionProblem, PolicySource } from "./converted.ts";

export function acceptable(
  resources: readonly (Policy | Binding)[],
  source: PolicySource,
  path: JsonPath,
): readonly ConversionProblem[] {
  const objects = resources as unknown as readonly KubeObject[];
  return objects.flatMap((object): ConversionProblem[] => {
    const { status, errors = [] } = acceptSetUp(object) ?? {};
    if (status === undefined) return [];
    const issues = errors.flatMap(({ expression }) => expression?.issues ?? []);
    // Libraries of Kyverno and Gatekeeper that expressions may use there and nowhere else.
    const unknown = issues.flatMap(({ code, name }) => (code === "undeclared_reference" && name ? [name] : []));
    if (unknown.length > 0 && unknown.every((name) => name === "variables")) {
      return [
        { code: "not_standard", source, message: "in an API server, match conditions cannot use variables", path },
      ];
    }
    if (unknown.length > 0) {
      const what = [...new Set(unknown)].map((name) => JSON.stringify(name)).join(", ");
      return [{ code: "not_standard", source, message: `the API server's CEL has no ${what}`, path }];
    }
    const overload = issues.find(({ code }) => code === "no_matching_overload");
    if (overload !== undefined) {
      const text = `the API server's CEL does not support this use of ${operatorText(overload.name ?? "")}: ${issues[0]!.message}`;
      return [{ code: "not_standard", source, message: text, path }];
    }
    const text = errors.length > 0 ? errors.map(fieldErrorText).join("; ") : (status.message ?? "");
    return [{ code: "refused", source, message: `the API server rejects it: ${text}`, path }];
  });
}

/** `_+_` is how the checker calls `+`. */
const operatorText = (name: string): string => JSON.stringify(name.replaceAll("_", "") || name);
