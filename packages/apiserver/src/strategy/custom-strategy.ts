// Custom resources: validation by schema and rules, with ratcheting; status has an endpoint of its own where the definition says so.

import {
  type Findings,
  finalizerWarnings,
  invalidResource,
  type JsonObject,
  prepareCreate,
  prepareStatusUpdate,
  prepareUpdate,
  type ResourceVersion,
} from "@celadon/crd";
import type { Draft } from "../kinds/draft.ts";
import type { Problems, Strategy, WriteContext } from "./strategy.ts";

export function customStrategy(version: ResourceVersion, subresource: string): Strategy {
  const isStatus = subresource === "status";
  return {
    createOnUpdate: false,
    unconditionalUpdate: false,
    prepareCreate: (object) => asDraft(prepareCreate(version, asJson(object))),
    validateCreate: (object, context) => problemsOf(version.validateCreate(asJson(object)), object, context),
    prepareUpdate: (object, old) =>
      asDraft(
        isStatus
          ? withManagers(prepareStatusUpdate(asJson(object), old as JsonObject), object)
          : prepareUpdate(version, asJson(object), old as JsonObject),
      ),
    validateUpdate(object, old, context) {
      const before = old as JsonObject;
      const found = isStatus
        ? version.validateStatusUpdate(asJson(object), before)
        : version.validateUpdate(asJson(object), before);
      return problemsOf(found, object, context);
    },
    warnings: (object, old) => (isStatus ? [] : finalizerWarnings(asJson(object), old as JsonObject | undefined)),
  };
}

function problemsOf({ errors, warnings }: Findings, object: Draft, context: WriteContext): Problems {
  for (const warning of warnings) context.warn(warning);
  return errors.length === 0 ? [] : invalidResource(asJson(object), errors);
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
