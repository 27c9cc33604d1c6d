// Webhook configurations.

import type { NameOptions } from "@celadon/admission/resources";
import { configurationWarnings, validateConfiguration, type WebhookConfiguration } from "@celadon/admission/webhook";
import type { KubeObject } from "@celadon/kube";
import { objectOf } from "../kinds/draft.ts";
import type { ServedResource } from "../kinds/resource.ts";
import { plainStrategy } from "./plain-strategy.ts";
import type { Strategy } from "./strategy.ts";

export function webhookStrategy(resource: ServedResource, options: NameOptions): Strategy {
  return {
    ...plainStrategy(resource, ""),
    validateCreate: (object) => validateConfiguration(asConfiguration(objectOf(object)), undefined, options),
    validateUpdate: (object, old) => validateConfiguration(asConfiguration(objectOf(object)), asConfiguration(old)),
    warnings: (object) => configurationWarnings(asConfiguration(objectOf(object))),
  };
}

const asConfiguration = (object: KubeObject): WebhookConfiguration => object as unknown as WebhookConfiguration;
