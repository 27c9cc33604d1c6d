// Custom resources: validation by schema and rules, with ratcheting; status has its own endpoint where the definition says so.

import type { JsonObject } from "@celadon/base";
import type { ResourceVersion, ValidateObjectOptions } from "@celadon/crd";
import { prepareWrite, validateWrite, type Write, writeWarnings } from "@celadon/crd/write";
import type { KubeObject } from "@celadon/kube";
import type { Draft } from "../draft.ts";
import type { Strategy } from "./strategy.ts";

/** `options` limits the time of rules and has their observers; it is called for every validation. */
export function customStrategy(
  version: ResourceVersion,
  subresource: string,
  options: () => ValidateObjectOptions,
): Strategy {
  const isStatus = subresource === "status";
  const over = (old: KubeObject | undefined): Write => ({ version, old: old as JsonObject | undefined, subresource });
  return {
    createOnUpdate: false,
    unconditionalUpdate: false,
    prepareCreate: (object) => asDraft(prepareWrite({ version }, asJson(object))),
    validateCreate: (object) => validateWrite({ version }, asJson(object), options()),
    prepareUpdate(object, old) {
      const prepared = prepareWrite(over(old), asJson(object));
      return asDraft(isStatus ? withManagers(prepared, object) : prepared);
    },
    validateUpdate: (object, old) => validateWrite(over(old), asJson(object), options()),
    warnings: (object, old) => writeWarnings(over(old), asJson(object)),
  };
}

/** A status update keeps the metadata of the object but for who manages its fields, and the version it was made for. */
function withManagers(prepared: JsonObject, { metadata }: Draft): JsonObject {
  const { managedFields, resourceVersion } = metadata;
  const kept = { ...(prepared.metadata as JsonObject), resourceVersion };
  if (managedFields === undefined) delete (kept as JsonObject).managedFields;
  else (kept as JsonObject).managedFields = managedFields;
  return { ...prepared, metadata: kept };
}

const asJson = (object: Draft): JsonObject => object as JsonObject;
const asDraft = (object: JsonObject): Draft => object as Draft;
