// Policies that are already ValidatingAdmissionPolicies, in suites of tools that evaluate a policy whether or not it is
// bound.

import type { KubeObject } from "@celadon/kube";
import { nameOf } from "@celadon/kube";
import { roleOf } from "@celadon/simulator/manifests";
import type { SuiteSource } from "../../suite/read/read-suite.ts";
import { isFields, textAt } from "../foreign.ts";
import type { Importing } from "../imported.ts";
import { bindingOf, type ConvertedPolicy } from "../policies/converted.ts";
import { acceptable } from "../policies/standard.ts";

type Bindings = ConvertedPolicy["bindings"];

export function isPolicy(value: unknown): value is KubeObject {
  return isFields(value) && value.kind === "ValidatingAdmissionPolicy" && roleOf(value as KubeObject) === "policy";
}

/** With the bindings among the documents; without any, with one that denies. */
export function collectPolicy(document: SuiteSource, all: readonly SuiteSource[], into: Importing): void {
  const object = document.value as KubeObject;
  const name = nameOf(object);
  const found = all
    .map(({ value }) => value as KubeObject)
    .filter(
      (kubeObject) =>
        isFields(kubeObject) && roleOf(kubeObject) === "binding" && textAt(kubeObject, "spec", "policyName") === name,
    );
  collectWithBindings(document, found.length > 0 ? (found as unknown as Bindings) : [bindingOf(name, ["Deny"])], into);
}

export function collectWithBindings({ value, origin }: SuiteSource, bindings: Bindings, into: Importing): void {
  const object = value as KubeObject;
  const source = { kind: "ValidatingAdmissionPolicy", name: nameOf(object) };
  const policy = object as unknown as ConvertedPolicy["policy"];
  const problems = acceptable([policy, ...bindings], source, []);
  const taken: ConvertedPolicy = { source, path: [], policy, bindings, params: [], derived: false, notes: [] };
  into.convert({ policies: problems.length > 0 ? [] : [taken], problems }, origin);
}
