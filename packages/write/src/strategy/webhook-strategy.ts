// Webhook configurations.

import type { NameOptions } from "@celadon/admission/resources";
import { configurationWarnings, validateConfiguration, type WebhookConfiguration } from "@celadon/admission/webhook";
import type { KubeObject } from "@celadon/kube";
import { hasEmpty, wasEmpty } from "@celadon/kube/types";
import { objectOf } from "../draft.ts";
import type { WrittenResource } from "../resource.ts";
import { plainStrategy, sameBesideMetadata } from "./plain-strategy.ts";
import type { Strategy } from "./strategy.ts";

export function webhookStrategy(resource: WrittenResource, options: NameOptions): Strategy {
  return {
    ...plainStrategy(resource, "", isSame),
    validateCreate: (object) => ({
      errors: validateConfiguration(asConfiguration(objectOf(object)), undefined, options),
    }),
    validateUpdate: (object, old) => ({
      errors: validateConfiguration(asConfiguration(objectOf(object)), asConfiguration(old)),
    }),
    warnings: (object) => configurationWarnings(asConfiguration(objectOf(object))),
  };
}

/** An empty list or map is a change: the stored object has none. */
function isSame(object: KubeObject, old: KubeObject): boolean {
  return sameBesideMetadata(object, old) && !wasEmpty(object, "webhooks") && !hasEmpty(object.webhooks);
}

const asConfiguration = (object: KubeObject): WebhookConfiguration => object as unknown as WebhookConfiguration;
