// The kinds of policies under a group of our own, as CustomResourceDefinitions: for clusters that do not have them, and for the fields of
// the proposals that no cluster has. The schemas are those of the built-in kinds, without their prose, plus the fields of the gates.

import { isRecord, type JsonObject } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import { builtinKindSchema } from "./builtin-schema.ts";
import { OWN_GROUP } from "./own-group.ts";
import { POLICY_KINDS, type PolicyKindSource } from "./own-kinds.ts";

/** Definitions of the policy kinds of our own group. */
export function ownDefinitions(): readonly KubeObject[] {
  return POLICY_KINDS.map(definitionOf);
}

/** The kind of bindings that live in a namespace, which Kubernetes does not have. */
export const NAMESPACED_BINDINGS: PolicyKindSource = POLICY_KINDS.find(({ ownOnly }) => ownOnly)!;

/** The definition of bindings that live in a namespace. */
export function namespacedBindingDefinition(): KubeObject {
  return definitionOf(NAMESPACED_BINDINGS);
}

function definitionOf(source: PolicyKindSource): KubeObject {
  const { resource, kind, as, namespaced } = source;
  const isPolicy = as.endsWith("Policy");
  const schema = schemaOf(as);
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${resource}.${OWN_GROUP}`, labels: { "app.kubernetes.io/part-of": "celadon" } },
    spec: {
      group: OWN_GROUP,
      scope: namespaced ? "Namespaced" : "Cluster",
      names: { plural: resource, singular: kind.toLowerCase(), kind, listKind: `${kind}List`, categories: ["celadon"] },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: isPolicy ? withStatus(schema) : schema },
          ...(isPolicy && { subresources: { status: {} }, additionalPrinterColumns: COLUMNS }),
        },
      ],
    },
  };
}

const COLUMNS = [
  { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: "Reason", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].reason' },
  { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
];

const TEXT = { type: "string" };
const TEXTS = { type: "array", items: TEXT, "x-kubernetes-list-type": "atomic" };

function schemaOf(kind: PolicyKindSource["as"]): JsonObject {
  const { spec } = propertiesOf(builtinKindSchema(kind));
  return { type: "object", required: ["spec"], properties: { spec: withGatedProperties(spec as JsonObject) } };
}

/** The fields that the proposals add to a spec. Without its gate a field is kept and has no effect. */
function withGatedProperties(spec: JsonObject): JsonObject {
  const properties = { ...propertiesOf(spec) };
  for (const name of ["matchConstraints", "matchResources"]) {
    const match = properties[name];
    if (isRecord(match)) properties[name] = adding(match, { namespaces: TEXTS, excludeNamespaces: TEXTS });
  }
  if (isRecord(properties.validations)) {
    const { items } = properties.validations;
    const added = { name: TEXT, code: { type: "integer" }, failurePolicy: TEXT };
    properties.validations = { ...properties.validations, items: adding(items as JsonObject, added) };
    Object.assign(properties, { singletonPolicy: { type: "boolean" }, validationActions: TEXTS });
  }
  return { ...spec, properties };
}

function withStatus(schema: JsonObject): JsonObject {
  const warning = { type: "object", properties: { fieldRef: TEXT, warning: TEXT } };
  const condition = {
    type: "object",
    required: ["type", "status"],
    properties: {
      type: TEXT,
      status: TEXT,
      observedGeneration: { type: "integer", format: "int64" },
      lastTransitionTime: { type: "string", format: "date-time" },
      reason: TEXT,
      message: TEXT,
    },
  };
  const status = {
    type: "object",
    properties: {
      observedGeneration: { type: "integer", format: "int64" },
      typeChecking: {
        type: "object",
        properties: { expressionWarnings: { type: "array", items: warning, "x-kubernetes-list-type": "atomic" } },
      },
      conditions: {
        type: "array",
        items: condition,
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["type"],
      },
    },
  };
  return adding(schema, { status });
}

function adding(schema: JsonObject, properties: JsonObject): JsonObject {
  return { ...schema, properties: { ...propertiesOf(schema), ...properties } };
}

function propertiesOf(schema: JsonObject): JsonObject {
  return isRecord(schema.properties) ? schema.properties : {};
}
