// `kubeVersion` of a suite: policies and webhooks whose expressions a server of that minor does not know would be refused by
// it, so that tests of them say nothing about it.

import { expressionFields } from "@celadon/admission/resources";
import { DYN, type Type } from "@celadon/cel";
import { nameOf } from "@celadon/kube";
import { acceptedBy, CURRENT, compareMinors, FIRST, type Minor, toMinor } from "@celadon/kube-cel";
import type { Manifest, Origin } from "@celadon/simulator";
import { issueAt, type SuiteIssue } from "./issue.ts";

/** The minor, or undefined when the text names none that is known. */
export function knownMinor(text: string): Minor | undefined {
  const minor = /^v?1\.\d{1,3}(?:\.\d+)?$/.test(text) ? toMinor(text) : undefined;
  if (minor === undefined || compareMinors(minor, FIRST) < 0 || compareMinors(minor, CURRENT) > 0) return undefined;
  return minor;
}

/** Types are not in question: what compiles for the current minor and not for the older one uses something newer. */
const VARIABLES: Readonly<Record<string, Type>> = Object.fromEntries(
  ["object", "oldObject", "request", "params", "namespaceObject", "variables", "authorizer"].map((name) => [name, DYN]),
);

export function versionIssues(
  kubeVersion: string | undefined,
  manifests: readonly Manifest[],
  suite: Origin,
): SuiteIssue[] {
  const minor = kubeVersion === undefined ? undefined : knownMinor(kubeVersion);
  if (minor === undefined || minor === CURRENT) return [];
  return manifests.flatMap(({ object, origin = suite }) => {
    return expressionFields(object).flatMap(({ text, path }) => {
      const { accepted } = acceptedBy(text, { variables: VARIABLES, minors: [minor, CURRENT] });
      if (accepted.includes(minor) || !accepted.includes(CURRENT)) return [];
      const message = `${String(object.kind)} ${JSON.stringify(nameOf(object))} uses something that Kubernetes ${minor} does not have`;
      return [
        issueAt(origin, path, "bad_resource", message, { hint: `celadon lint --kube-version ${minor} tells what` }),
      ];
    });
  });
}
