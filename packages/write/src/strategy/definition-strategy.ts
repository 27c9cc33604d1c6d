// CustomResourceDefinitions.

import {
  type CustomResourceDefinition,
  definitionWarnings,
  prepareDefinition,
  validateDefinition,
  validateDefinitionUpdate,
} from "@celadon/crd";
import type { KubeObject } from "@celadon/kube";
import { type Draft, objectOf } from "../draft.ts";
import type { WrittenResource } from "../resource.ts";
import { plainStrategy } from "./plain-strategy.ts";
import type { Strategy } from "./strategy.ts";

export function definitionStrategy(resource: WrittenResource, subresource: string): Strategy {
  const plain = plainStrategy(resource, subresource);
  if (subresource === "status") return plain;
  const server = resource.minor === undefined ? {} : { kubeVersion: resource.minor };
  return {
    ...plain,
    prepareCreate: (object) => asDraft(prepareDefinition(asDefinition(objectOf(object)), undefined)),
    prepareUpdate: (object, old) => asDraft(prepareDefinition(asDefinition(objectOf(object)), asDefinition(old))),
    validateCreate: (object) => ({ errors: validateDefinition(asDefinition(objectOf(object)), server) }),
    validateUpdate: (object, old) => ({
      errors: validateDefinitionUpdate(asDefinition(objectOf(object)), asDefinition(old), server),
    }),
    warnings: (object, old) =>
      definitionWarnings(asDefinition(objectOf(object)), old && asDefinition(old), resource.minor),
  };
}

const asDefinition = (object: KubeObject): CustomResourceDefinition => object as unknown as CustomResourceDefinition;
const asDraft = (definition: CustomResourceDefinition): Draft => definition as unknown as Draft;
