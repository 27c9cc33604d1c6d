// The CustomResourceDefinition of CertificateRequestPolicy, for hosts that serve or check the resource as a cluster does: the errors that
// the API server itself finds (types, names of usages and algorithms, the same rule twice) are defined here and nowhere else.

import { KEY_ALGORITHMS, POLICY_GROUP, POLICY_KIND, POLICY_RESOURCE, POLICY_VERSION, USAGE_NAMES } from "./resource.ts";

/** A structural schema. */
export type SchemaData = Readonly<Record<string, unknown>>;

const text: SchemaData = { type: "string" };
const bool: SchemaData = { type: "boolean" };
const integer: SchemaData = { type: "integer" };
const object = (properties: Readonly<Record<string, SchemaData>>, ...required: string[]): SchemaData => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
});
const list = (items: SchemaData): SchemaData => ({ type: "array", items });
const mapOf = (values: SchemaData): SchemaData => ({ type: "object", additionalProperties: values });
const listBy = (key: string, items: SchemaData): SchemaData => ({
  ...list(items),
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": [key],
});
const oneOf = (names: readonly string[]): SchemaData => ({ ...text, enum: names });

const validations = listBy("rule", object({ rule: text, message: text }, "rule"));
const allowedText = object({ value: text, required: bool, validations });
const allowedList = object({ values: list(text), required: bool, validations });
const byOid = listBy("oid", object({ oid: text, values: list(text), required: bool, validations }, "oid"));

const allowed = object({
  commonName: allowedText,
  dnsNames: allowedList,
  emailAddresses: allowedList,
  ipAddresses: allowedList,
  isCA: bool,
  otherNames: byOid,
  subject: object({
    countries: allowedList,
    localities: allowedList,
    organizationalUnits: allowedList,
    organizations: allowedList,
    otherAttributes: byOid,
    postalCodes: allowedList,
    provinces: allowedList,
    serialNumber: allowedText,
    streetAddresses: allowedList,
  }),
  uris: allowedList,
  usages: list(oneOf(USAGE_NAMES)),
});

/** The schema of `spec`. */
export const SPEC_SCHEMA: SchemaData = object(
  {
    allowed,
    constraints: object({
      maxDuration: text,
      minDuration: text,
      privateKey: object({ algorithm: oneOf(KEY_ALGORITHMS), maxSize: integer, minSize: integer }),
    }),
    plugins: mapOf(object({ values: mapOf(text) })),
    selector: object({
      issuerRef: object({ group: text, kind: text, name: text }),
      namespace: object({ matchLabels: mapOf(text), matchNames: list(text) }),
    }),
  },
  "selector",
);

// Conditions as every Kubernetes API has them.
const QUALIFIED = "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])";
const SUBDOMAIN = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
const status = object({
  conditions: listBy(
    "type",
    object(
      {
        lastTransitionTime: { ...text, format: "date-time" },
        message: { ...text, maxLength: 32768 },
        observedGeneration: { ...integer, format: "int64", minimum: 0 },
        reason: { ...text, minLength: 1, maxLength: 1024, pattern: "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$" },
        status: oneOf(["True", "False", "Unknown"]),
        type: { ...text, maxLength: 316, pattern: `^(${SUBDOMAIN}/)?${QUALIFIED}$` },
      },
      "lastTransitionTime",
      "message",
      "reason",
      "status",
      "type",
    ),
  ),
});

/** The schema of the resource itself. */
export const POLICY_SCHEMA: SchemaData = object(
  { apiVersion: text, kind: text, metadata: { type: "object" }, spec: SPEC_SCHEMA, status },
  "spec",
);

/** The definition as a manifest. */
export const POLICY_DEFINITION: SchemaData = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${POLICY_RESOURCE}.${POLICY_GROUP}` },
  spec: {
    group: POLICY_GROUP,
    names: {
      kind: POLICY_KIND,
      listKind: `${POLICY_KIND}List`,
      plural: POLICY_RESOURCE,
      singular: "certificaterequestpolicy",
      shortNames: ["crp"],
      categories: ["cert-manager"],
    },
    scope: "Cluster",
    versions: [
      {
        name: POLICY_VERSION,
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type == "Ready")].status' },
          { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
        ],
        schema: {
          openAPIV3Schema: POLICY_SCHEMA,
        },
      },
    ],
  },
};
