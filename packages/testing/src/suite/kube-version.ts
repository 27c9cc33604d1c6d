// `kubeVersion` of a suite: what an API server of that minor would not take, tests say nothing about.

import type { ValidatingAdmissionPolicy } from "@celadon/admission";
import { validatePolicy } from "@celadon/admission/resources";
import { validateConfiguration, type WebhookConfiguration } from "@celadon/admission/webhook";
import { type CustomResourceDefinition, validateDefinition } from "@celadon/crd";
import { type FieldError, fieldErrorText, type KubeObject, nameOf } from "@celadon/kube";
import { CURRENT, compareMinors, FIRST, type Minor, toMinor } from "@celadon/kube-cel";
import { fieldPathIn, type Manifest, roleOf, type World } from "@celadon/simulator";
import { issueAt, type SuiteIssue } from "./issue.ts";
import type { Suite } from "./suite.ts";

/** The minor, or undefined when the text names none that is known. */
export function knownMinor(text: string): Minor | undefined {
  const minor = /^v?1\.\d{1,3}(?:\.\d+)?$/.test(text) ? toMinor(text) : undefined;
  if (minor === undefined || compareMinors(minor, FIRST) < 0 || compareMinors(minor, CURRENT) > 0) return undefined;
  return minor;
}

/** Of manifests that the current minor accepts. */
export function versionIssues(
  { kubeVersion, origin: suite }: Suite,
  manifests: readonly Manifest[],
  world: World,
): SuiteIssue[] {
  const minor = kubeVersion === undefined ? undefined : knownMinor(kubeVersion);
  if (minor === undefined || minor === CURRENT) return [];
  return manifests.flatMap(({ object, origin = suite }) =>
    errorsOf(object, world.accepted(object)?.resource, minor).map((error) => {
      const message = `${String(object.kind)} ${JSON.stringify(nameOf(object))}: Kubernetes ${minor} refuses it: ${fieldErrorText(error)}`;
      return issueAt(origin, fieldPathIn(error.field, object), "bad_resource", message);
    }),
  );
}

function errorsOf(object: KubeObject, resource: unknown, kubeVersion: Minor): readonly FieldError[] {
  if (resource === undefined) return [];
  switch (roleOf(object)) {
    case "policy":
      return validatePolicy(resource as ValidatingAdmissionPolicy, { kubeVersion });
    case "webhooks":
      return validateConfiguration(resource as WebhookConfiguration, undefined, { kubeVersion });
    case "definition":
      return validateDefinition(resource as CustomResourceDefinition, { kubeVersion });
    default:
      return [];
  }
}
