// Webhook configurations.

import { configurationWarnings, validateConfiguration, type WebhookConfiguration } from "@celadon/admission/webhook";
import type { KubeObject } from "@celadon/kube";
import { hasEmpty, wasEmpty } from "@celadon/kube/types";
import { objectOf } from "../draft.ts";
import type { WrittenResource } from "../resource.ts";
import { plainStrategy, sameBesideMetadata } from "./plain-strategy.ts";
import { checkingOptions, type PolicyHosts, worded } from "./policy-strategy.ts";
import type { Strategy } from "./strategy.ts";

export function webhookStrategy(resource: WrittenResource, hosts: PolicyHosts): Strategy {
  const server = checkingOptions(resource, hosts);
  return {
    ...plainStrategy(resource, "", isSame),
    validateCreate: (object) => ({
      errors: worded(
        resource,
        validateConfiguration(asConfiguration(objectOf(object)), undefined, { ...hosts, ...server }),
      ),
    }),
    validateUpdate: (object, old) => ({
      errors: worded(resource, validateConfiguration(asConfiguration(objectOf(object)), asConfiguration(old), server)),
    }),
    warnings: (object) => configurationWarnings(asConfiguration(objectOf(object)), resource.minor),
  };
}

/** An empty list or map is a change: the stored object has none. */
function isSame(object: KubeObject, old: KubeObject): boolean {
  return sameBesideMetadata(object, old) && !wasEmpty(object, "webhooks") && !hasEmpty(object.webhooks);
}

const asConfiguration = (object: KubeObject): WebhookConfiguration => object as WebhookConfiguration;
