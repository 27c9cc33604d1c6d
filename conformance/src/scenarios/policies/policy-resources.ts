// Policies and bindings as resources of the in-memory cluster: decoded, defaulted, validated and counted as the server does it.

import { createSchemas } from "@celadon/admission/memory";
import type { Binding, Policy, ValidatingAdmissionPolicy } from "@celadon/admission/policy";
import {
  authorizeParamKind,
  authorizeParamRef,
  checkedStatus,
  checkTypes,
  nameWarnings,
  type ParamAccess,
  type PolicyResourceKind,
  readPolicyResource,
  strictDecodingError,
  validatePolicyResource,
  validatePolicyStatus,
  withResourceDefaults,
} from "@celadon/admission/resources";
import { apiVersionOf, type KubeObject, unknownFieldText } from "@celadon/kube";
import { type FieldError, notSupported } from "@celadon/kube/errors";
import { badRequest, invalidObject, type Status } from "@celadon/kube/status";
import type { ScenarioCluster } from "../cluster.ts";
import type { Handler, Write } from "../handler.ts";
import type { JsonObject } from "../json.ts";
import { gvkOfKind } from "../kinds.ts";
import { metadataOf, sameJson, withMetadata } from "../write.ts";
import { authorizerOf } from "./policies.ts";

type Resource = Policy | Binding;

export const policyResources: Omit<Handler, "handles" | "deleted"> = {
  decode: (object, write) => {
    const directive = fieldValidationError(write);
    if (directive !== undefined) return directive;
    const kind = write.kind.kind as PolicyResourceKind;
    const { resource, error, unknownFields } = readPolicyResource(object, kind);
    if (resource === undefined) return badRequest(error ?? "");
    if (unknownFields.length > 0) {
      if (write.fieldValidation === "Strict")
        return badRequest(strictDecodingError(kind, write.kind.version, unknownFields));
      if (write.fieldValidation === "Warn") write.warnings.push(...unknownFields.map(unknownFieldText));
    }
    // A namespace given for what lives in none is dropped before anybody looks at it.
    const { namespace: _, ...metadata } = resource.metadata;
    return asJson(withResourceDefaults({ ...resource, metadata } as Resource));
  },
  prepare: (object, { operation, oldObject, subresource }) => {
    const isPolicy = object.kind === "ValidatingAdmissionPolicy";
    if (operation === "CREATE") return withMetadata(isPolicy ? { ...object, status: {} } : object, { generation: 1 });
    if (oldObject === undefined) return object;
    if (subresource === "status") return { ...oldObject, status: object.status ?? {} };
    const { generation } = metadataOf(oldObject);
    const changed = !sameJson(object.spec as JsonObject, oldObject.spec as JsonObject);
    const kept = isPolicy ? { ...object, status: oldObject.status ?? {} } : object;
    return withMetadata(kept, { generation: Number(generation ?? 1) + (changed ? 1 : 0) });
  },
  validate: async (object, write) => {
    if (write.subresource === "status") {
      const { status = {} } = asResource(object) as ValidatingAdmissionPolicy;
      const wrong = validatePolicyStatus(status);
      return wrong.length === 0 ? undefined : invalidObject(gvkOfKind(write.kind), write.name, wrong);
    }
    write.warnings.push(...nameWarnings(String(metadataOf(object).name ?? "")).map(({ text }) => text));
    const errors = fieldErrors(object, write);
    const found = errors.length > 0 ? errors : await accessErrors(object, write);
    return found.length === 0 ? undefined : invalidObject(gvkOfKind(write.kind), write.name, found);
  },
  stored: async (object, cluster) => {
    const resource = asResource(object);
    if (resource.kind === "ValidatingAdmissionPolicy") await writeStatus(resource, cluster);
  },
};

// The status controller: checks policies that it has not seen yet. It applies its status, and a field that had a value and is then absent
// is removed: `typeChecking` is empty at first, and gone once there were warnings.
async function writeStatus(policy: ValidatingAdmissionPolicy, cluster: ScenarioCluster): Promise<void> {
  if (policy.status?.observedGeneration === policy.metadata.generation) return;
  const definitions = cluster.kinds.find({ apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" })!;
  const schemas = createSchemas({ definitions: cluster.list(definitions) as KubeObject[] });
  const status = checkedStatus(policy, await checkTypes(policy, schemas));
  const { typeChecking, ...rest } = status;
  const gone =
    typeChecking?.expressionWarnings === undefined && policy.status?.typeChecking?.expressionWarnings !== undefined;
  const kind = cluster.kinds.find(policy)!;
  cluster.store.put(kind, "", policy.metadata.name ?? "", asJson({ ...policy, status: gone ? rest : status }));
}

const isPolicy = (resource: Resource): resource is Policy => !resource.kind.endsWith("Binding");

function fieldErrors(object: JsonObject, { operation, oldObject }: Write): FieldError[] {
  const resource = asResource(object);
  const old = operation === "CREATE" || oldObject === undefined ? undefined : asResource(oldObject);
  return validatePolicyResource(resource, old);
}

async function accessErrors(object: JsonObject, { cluster, user, oldObject }: Write): Promise<FieldError[]> {
  const resource = asResource(object);
  const { username, ...rest } = user;
  const access: ParamAccess = {
    user: { name: username, ...rest },
    authorizer: authorizerOf(cluster),
    resourceOf: (kind) => cluster.kinds.find({ apiVersion: apiVersionOf(kind), kind: kind.kind })?.resource,
  };
  if (isPolicy(resource)) return authorizeParamKind(resource, oldObject && (asResource(oldObject) as Policy), access);
  const kind = resource.kind.slice(0, -"Binding".length);
  const policies = cluster.kinds.find({ apiVersion: resource.apiVersion, kind })!;
  return authorizeParamRef(resource, {
    ...access,
    policy: (name) => cluster.get(policies, "", name) as unknown as Policy | undefined,
  });
}

const DIRECTIVES = ["", "Ignore", "Strict", "Warn"];

function fieldValidationError({ fieldValidation, operation }: Write): Status | undefined {
  if (DIRECTIVES.includes(fieldValidation)) return undefined;
  const kind = operation === "CREATE" ? "CreateOptions" : "UpdateOptions";
  return invalidObject({ group: "meta.k8s.io", kind }, "", [
    notSupported("fieldValidation", fieldValidation, DIRECTIVES),
  ]);
}

function asResource(object: JsonObject): Resource {
  return object as unknown as Resource;
}

function asJson(resource: Resource): JsonObject {
  return resource as unknown as KubeObject as JsonObject;
}
