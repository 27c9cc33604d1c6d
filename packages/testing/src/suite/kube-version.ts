// `kubeVersion` of a suite: what an API server of that minor would not take, tests say nothing about.

import type { ValidatingAdmissionPolicy } from "@celadon/admission";
import { validatePolicy } from "@celadon/admission/resources";
import { validateConfiguration, type WebhookConfiguration } from "@celadon/admission/webhook";
import { type CustomResourceDefinition, validateDefinition } from "@celadon/crd";
import type { FieldError, KubeObject } from "@celadon/kube";
import { CURRENT, compareMinors, FIRST, type Minor, toMinor } from "@celadon/kube-cel";
import { roleOf } from "@celadon/simulator";

/** The minor, or undefined when the text names none that is known. */
export function knownMinor(text: string): Minor | undefined {
  const minor = /^v?1\.\d{1,3}(?:\.\d+)?$/.test(text) ? toMinor(text) : undefined;
  if (minor === undefined || compareMinors(minor, FIRST) < 0 || compareMinors(minor, CURRENT) > 0) return undefined;
  return minor;
}

/** What that server says against a resource that the current one takes. */
export function versionErrors(object: KubeObject, resource: unknown, kubeVersion: Minor): readonly FieldError[] {
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
