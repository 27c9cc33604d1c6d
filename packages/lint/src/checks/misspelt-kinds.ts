// Manifests that are meant to be policies, bindings, webhook configurations or definitions, under an unknown kind or group.

import { apiVersionOf, gvkOf, nameOf } from "@celadon/kube";
import { kindServed } from "@celadon/kube/types";
import type { Manifest } from "@celadon/simulator/manifests";
import { type LintProblem, problem } from "../problem.ts";

/** Kinds that lint looks at. */
const KINDS: ReadonlySet<string> = new Set([
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "MutatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
  "ValidatingWebhookConfiguration",
  "MutatingWebhookConfiguration",
  "CustomResourceDefinition",
]);

/** The intended kind and name of a manifest, and its error. */
export interface MisspeltKind {
  readonly kind: string;
  readonly name: string;
  readonly problem: LintProblem;
}

/** Undefined for objects of other kinds, whether they are served or not. */
export function misspeltKind(manifest: Manifest): MisspeltKind | undefined {
  const { object } = manifest;
  const gvk = gvkOf(object);
  const answer = kindServed(gvk);
  if (answer.code !== "unknown_kind" && answer.code !== "custom") return undefined;
  const { nearest } = answer;
  const kind = answer.code === "custom" ? gvk.kind : nearest;
  if (nearest === undefined || kind === undefined || !KINDS.has(kind)) return undefined;
  const message = `no matches for kind "${gvk.kind}" in version "${apiVersionOf(gvk)}"`;
  const field = answer.code === "custom" ? "apiVersion" : "kind";
  return {
    kind,
    name: nameOf(object),
    problem: problem("not_served", manifest, [field], message, { help: `did you mean "${nearest}"?` }),
  };
}
