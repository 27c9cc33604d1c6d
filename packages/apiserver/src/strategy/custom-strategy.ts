// Custom resources: validation by schema and rules, with ratcheting; status has its own endpoint where the definition says so.

import { EVALUATION_TIME } from "@celadon/admission";
import type { JsonObject } from "@celadon/base";
import type { ResourceVersion } from "@celadon/crd";
import { prepareWrite, validateWrite, type Write, writeWarnings } from "@celadon/crd/write";
import { fieldErrorText, type KubeObject } from "@celadon/kube";
import type { Draft } from "../kinds/draft.ts";
import type { Problems, Strategy, WriteContext } from "./strategy.ts";

export function customStrategy(version: ResourceVersion, subresource: string): Strategy {
  const isStatus = subresource === "status";
  const over = (old: KubeObject | undefined): Write => ({ version, old: old as JsonObject | undefined, subresource });
  return {
    createOnUpdate: false,
    unconditionalUpdate: false,
    prepareCreate: (object) => asDraft(prepareWrite({ version }, asJson(object))),
    validateCreate: (object, context) => problemsOf({ version }, object, context),
    prepareUpdate(object, old) {
      const prepared = prepareWrite(over(old), asJson(object));
      return asDraft(isStatus ? withManagers(prepared, object) : prepared);
    },
    validateUpdate: (object, old, context) => problemsOf(over(old), object, context),
    warnings: (object, old) => writeWarnings(over(old), asJson(object)),
  };
}

/** Rules are bounded by their costs. Time is the last resort, and generous: on a busy machine it must not decide what costs would. */
const RULES_TIME = 5 * EVALUATION_TIME;

function problemsOf(write: Write, object: Draft, context: WriteContext): Problems {
  const { status, ratcheted } = validateWrite(write, asJson(object), { deadline: Date.now() + RULES_TIME });
  for (const error of ratcheted) context.warn(fieldErrorText(error));
  return status ?? [];
}

/** A status update keeps the metadata of the object but for who manages its fields, and the version it was made for. */
function withManagers(prepared: JsonObject, { metadata }: Draft): JsonObject {
  const { managedFields, resourceVersion } = metadata;
  const kept = { ...(prepared.metadata as JsonObject), resourceVersion };
  if (managedFields === undefined) delete (kept as JsonObject).managedFields;
  else (kept as JsonObject).managedFields = managedFields;
  return { ...prepared, metadata: kept };
}

const asJson = (object: Draft): JsonObject => object as unknown as JsonObject;
const asDraft = (object: JsonObject): Draft => object as unknown as Draft;
