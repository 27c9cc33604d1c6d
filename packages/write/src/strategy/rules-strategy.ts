// Strategies of the built-in kinds with rules in `@celadon/kube/validation`.

import { pushAll } from "@celadon/base";
import { groupResourceText, type KubeObject } from "@celadon/kube";
import { validateManagedFields } from "@celadon/kube/metadata";
import type { Status } from "@celadon/kube/status";
import { decode } from "@celadon/kube/types";
import {
  type AnyKindRules,
  type EndpointRules,
  isMetadataChecked,
  loadKindRules,
  prepareCreate,
  prepareUpdate,
  type Request,
  readAs,
  servedAs,
  ValidatedField,
} from "@celadon/kube/validation";
import { emulationOf } from "@celadon/kube/versions";
import { deviceSelectorProblem } from "@celadon/kube-cel";
import { type Draft, objectOf } from "../draft.ts";
import { metadataErrors } from "../metadata.ts";
import type { WrittenResource } from "../resource.ts";
import { StatusError } from "../status-error.ts";
import type { Strategy, WriteContext } from "./strategy.ts";
import { CREATE_ON_UPDATE } from "./traits.ts";

/** Undefined when the kind has no rules yet. */
export async function rulesStrategy(resource: WrittenResource, subresource: string): Promise<Strategy | undefined> {
  const { group, kind } = resource;
  const rules = await loadKindRules({ group, kind });
  const endpoint = subresource === "" ? rules : rules?.subresources?.[subresource];
  return rules && endpoint && strategyOf(rules, endpoint, resource, subresource);
}

function strategyOf(
  rules: AnyKindRules,
  endpoint: EndpointRules<KubeObject>,
  resource: WrittenResource,
  subresource: string,
): Strategy {
  const { apiVersion, kind, minor } = resource;
  const by = emulationOf(minor);
  const blankStatus = decode({ apiVersion, kind }, {}, { minor })?.object?.status;
  const read = (object: KubeObject): KubeObject => readAs(rules, object);
  return {
    createOnUpdate: subresource === "" && CREATE_ON_UPDATE.has(groupResourceText(resource.storage)),
    unconditionalUpdate: rules.unconditionalUpdate,
    prepareCreate(object, context) {
      const request = requestOf(context);
      const begins = begun(rules, read(objectOf(object)), undefined, request);
      const prepared = servedAs(rules, prepareCreate(rules, begins, request), objectOf(object));
      // A status that is dropped is written as an empty one.
      return asDraft("status" in object && !("status" in prepared) ? { ...prepared, status: blankStatus } : prepared);
    },
    validateCreate(object, context) {
      const request = requestOf(context);
      const field = ValidatedField.root(request.by);
      const sent = read(objectOf(object));
      rules.validate?.(sent, field, request);
      if (field.errors.length === 0) {
        const isChecked = isMetadataChecked(field);
        const metadata = sent.metadata ?? {};
        pushAll(
          field.errors,
          isChecked ? validateManagedFields(metadata) : metadataErrors(sent, undefined, resource, by),
        );
      }
      return { errors: field.found, isWhole: true };
    },
    prepareUpdate(object, old, context) {
      const request = requestOf(context);
      const before = read(old);
      const begins = begun(endpoint, read(objectOf(object)), before, request);
      return asDraft(servedAs(rules, prepareUpdate(endpoint, begins, before, request), objectOf(object)));
    },
    validateUpdate(object, old, context) {
      const request = requestOf(context);
      const sent = read(objectOf(object));
      const before = read(old);
      const field = ValidatedField.root(request.by, metadataErrors(sent, before, resource, by));
      endpoint.validateUpdate?.(sent, before, field, request);
      return { errors: field.found, isWhole: true };
    },
    warnings(object, old) {
      if (old === undefined) return rules.warnOnCreate?.(read(objectOf(object)), by) ?? [];
      return endpoint.warnOnUpdate?.(read(objectOf(object)), read(old), by) ?? [];
    },
  };
}

/** The first step, which may reject alone. */
function begun(
  rules: EndpointRules<KubeObject>,
  object: KubeObject,
  old: KubeObject | undefined,
  request: Request,
): KubeObject {
  const result = rules.begin?.(object, old, request) ?? object;
  if (isFailure(result)) throw new StatusError(result);
  return result;
}

function isFailure(value: KubeObject | Status): value is Status {
  return value.kind === "Status" && value.status === "Failure";
}

const asDraft = (object: KubeObject): Draft => object as Draft;

function requestOf({ namespace, user, warn, now, services, dryRun, resource, namespaceLabels }: WriteContext): Request {
  const { username: name = "", groups, uid, extra } = user;
  return {
    namespace,
    user: { name, ...(groups && { groups }), ...(uid !== undefined && { uid }), ...(extra && { extra }) },
    services: services(dryRun),
    // A label of the namespace allows administrator access to devices.
    ...(resource.group === "resource.k8s.io" && { namespaceLabels: namespaceLabels() }),
    compileSelector: deviceSelectorProblem,
    now,
    by: emulationOf(resource.minor),
    warn,
  };
}
