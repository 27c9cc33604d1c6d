// Answers of a server to requests that differed once, and that no recording has.

import { expect, test } from "vitest";
import { type Answer, difference, type Row, replay as replayOf } from "./replay.testing.ts";

/** The server that the answers below are from. */
const replay = (row: Row): ReturnType<typeof replayOf> => replayOf(row, undefined, "1.36");

type Asked = Pick<Row, "apiVersion" | "kind" | "base" | "patch" | "oldBase">;

const put = (path: string, value?: unknown) =>
  value === undefined ? ({ op: "remove", path } as const) : ({ op: "add", path, value } as const);
const named = (apiVersion: string, kind: string, base: string): Asked => ({ apiVersion, kind, base });
const invalid = (subject: string, field: string, message: string, reason = "FieldValueInvalid"): Partial<Row> => ({
  code: 422,
  reason: "Invalid",
  message: `${subject} is invalid: ${field}: ${message}`,
  causes: [{ reason, field, message }],
});

const replicaSet = named("apps/v1", "ReplicaSet", "replicaset");
const storageClass = { ...named("storage.k8s.io/v1", "StorageClass", "storageclass"), oldBase: "storageclass" };
const serviceRange = { ...named("networking.k8s.io/v1", "ServiceCIDR", "servicecidr"), oldBase: "servicecidr" };
const lease = named("coordination.k8s.io/v1", "Lease", "lease");
const revision = { ...named("apps/v1", "ControllerRevision", "controllerrevision"), oldBase: "controllerrevision" };
const pod = { ...named("v1", "Pod", "pod-spec"), oldBase: "pod-spec" };
const policy = { ...named("networking.k8s.io/v1", "NetworkPolicy", "networkpolicy"), oldBase: "networkpolicy" };
const slice = named("resource.k8s.io/v1", "ResourceSlice", "resourceslice");
const claimTemplate = named("resource.k8s.io/v1", "ResourceClaimTemplate", "resourceclaimtemplate");
const roles = named("rbac.authorization.k8s.io/v1", "Role", "role");
const secret = named("v1", "Secret", "secret-dockercfg");
/** A text that Go quotes in one way and writes as JSON in another. */
const ODD = "<\u0001";
const NOT_FOR_EPHEMERAL = "Forbidden: cannot be set for an Ephemeral Container";
const NOT_SELECTED = "`selector` does not match template `labels`";

const cases: readonly (readonly [string, Asked, Partial<Row>])[] = [
  [
    "an empty map is shown as one",
    { ...replicaSet, patch: [put("/spec/template/metadata/labels", {})] },
    invalid('ReplicaSet.apps "rs"', "spec.template.metadata.labels", `Invalid value: {}: ${NOT_SELECTED}`),
  ],
  [
    "one that is absent is null",
    { ...replicaSet, patch: [put("/spec/template/metadata/labels")] },
    invalid('ReplicaSet.apps "rs"', "spec.template.metadata.labels", `Invalid value: null: ${NOT_SELECTED}`),
  ],
  [
    "an empty map in an update",
    { ...storageClass, patch: [put("/parameters", {})] },
    invalid('StorageClass.storage.k8s.io "sc"', "parameters", "Invalid value: {}: field is immutable"),
  ],
  [
    "an empty list in an update",
    { ...serviceRange, patch: [put("/spec/cidrs", [])] },
    invalid('ServiceCIDR.networking.k8s.io "sc"', "spec.cidrs", "Invalid value: []: field is immutable"),
  ],
  [
    "an empty list of counters is given",
    { ...slice, patch: [put("/spec/sharedCounters", [])] },
    invalid(
      'ResourceSlice.resource.k8s.io "rs"',
      "spec",
      'Invalid value: "": only one of `sharedCounters` or `devices` is allowed',
    ),
  ],
  [
    "an empty list of conditions is shown as one",
    {
      ...slice,
      patch: [put("/spec/devices/0/bindingConditions", []), put("/spec/devices/0/bindingFailureConditions", ["a.b/c"])],
    },
    invalid(
      'ResourceSlice.resource.k8s.io "rs"',
      "spec.devices[0].bindingConditions",
      "Invalid value: []: bindingConditions are required to use bindingFailureConditions",
    ),
  ],
  [
    "an empty list in the metadata of a template is set",
    { ...claimTemplate, patch: [put("/spec/metadata/finalizers", [])] },
    invalid(
      'ResourceClaimTemplate.resource.k8s.io "rct"',
      "spec.metadata.finalizers",
      "Forbidden: cannot be set",
      "FieldValueForbidden",
    ),
  ],
  [
    "so is a grace period of 0",
    { ...claimTemplate, patch: [put("/spec/metadata/deletionGracePeriodSeconds", 0)] },
    invalid(
      'ResourceClaimTemplate.resource.k8s.io "rct"',
      "spec.metadata.deletionGracePeriodSeconds",
      "Forbidden: cannot be set",
      "FieldValueForbidden",
    ),
  ],
  [
    "an empty list of claims of a pod is given",
    { ...named("v1", "Pod", "pod-spec"), patch: [put("/spec/resources", { claims: [], limits: { cpu: "1" } })] },
    invalid(
      'Pod "p"',
      "spec.resources.claims",
      "Forbidden: claims may not be set for Resources at pod-level",
      "FieldValueForbidden",
    ),
  ],
  [
    "raw data keeps the order of its members",
    { ...revision, patch: [put("/data", { x: 1, a: { z: 1, b: [] } })] },
    invalid('ControllerRevision.apps "cr"', "data", 'Invalid value: {"x":1,"a":{"z":1,"b":[]}}: field is immutable'),
  ],
  [
    "an address that was not there before is looked at",
    { ...policy, patch: [put("/spec/ingress/0/from/1/ipBlock/except", ["10.1.0.0/16", ""])] },
    invalid(
      'NetworkPolicy.networking.k8s.io "np"',
      "spec.ingress[0].from[1].ipBlock.except[1]",
      'Invalid value: "": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    ),
  ],
  [
    "an empty list of an ephemeral container is set",
    {
      ...named("v1", "Pod", "pod-spec"),
      patch: [put("/spec/ephemeralContainers", [{ name: "e", image: "i", ports: [], resizePolicy: [] }])],
    },
    {
      code: 422,
      reason: "Invalid",
      message:
        'Pod "p" is invalid: [spec.ephemeralContainers[0].ports: Forbidden: cannot be set for an Ephemeral Container, spec.ephemeralContainers[0].resizePolicy: Forbidden: cannot be set for an Ephemeral Container, spec.ephemeralContainers: Forbidden: cannot be set on create]',
      causes: [
        { reason: "FieldValueForbidden", field: "spec.ephemeralContainers[0].ports", message: NOT_FOR_EPHEMERAL },
        {
          reason: "FieldValueForbidden",
          field: "spec.ephemeralContainers[0].resizePolicy",
          message: NOT_FOR_EPHEMERAL,
        },
        {
          reason: "FieldValueForbidden",
          field: "spec.ephemeralContainers",
          message: "Forbidden: cannot be set on create",
        },
      ],
    },
  ],
  [
    "no groups are groups, for Windows",
    { ...named("v1", "Pod", "pod-windows"), patch: [put("/spec/securityContext/supplementalGroups", [])] },
    invalid(
      'Pod "p"',
      "spec.securityContext.supplementalGroups",
      "Forbidden: cannot be set for a windows pod",
      "FieldValueForbidden",
    ),
  ],
  [
    "the zero time behind a pointer is set",
    { ...claimTemplate, patch: [put("/spec/metadata/deletionTimestamp", "0001-01-01T00:00:00Z")] },
    invalid(
      'ResourceClaimTemplate.resource.k8s.io "rct"',
      "spec.metadata.deletionTimestamp",
      "Forbidden: cannot be set",
      "FieldValueForbidden",
    ),
  ],
  [
    "the zero time that was given is not that of Go's zero value",
    { ...claimTemplate, patch: [put("/spec/metadata/creationTimestamp", "0001-01-01T00:00:00Z")] },
    invalid(
      'ResourceClaimTemplate.resource.k8s.io "rct"',
      "spec.metadata.creationTimestamp",
      "Forbidden: cannot be set",
      "FieldValueForbidden",
    ),
  ],
  [
    "an annotation that is a number in another version",
    {
      ...named("apps/v1", "DaemonSet", "daemonset"),
      patch: [put("/metadata/annotations", { "deprecated.daemonset.template.generation": "x" })],
    },
    {
      code: 400,
      reason: "BadRequest",
      message:
        'DaemonSet in version "v1" cannot be handled as a DaemonSet: strconv.ParseInt: parsing "x": invalid syntax',
    },
  ],
  [
    "names of roles are generated from names",
    { ...roles, patch: [put("/metadata/generateName", "..")] },
    invalid('Role.rbac.authorization.k8s.io "r"', "metadata.generateName", `Invalid value: "..": may not be '..'`),
  ],
  [
    "a secret without bytes",
    { ...secret, patch: [put("/data", { ".dockercfg": null })] },
    invalid(
      'Secret "s"',
      "data[.dockercfg]",
      'Invalid value: "<secret contents redacted>": unexpected end of JSON input',
    ),
  ],
  [
    "a text behind a pointer is JSON",
    {
      ...named("v1", "Pod", "pod-spec"),
      patch: [put("/spec/securityContext/appArmorProfile/localhostProfile", ODD)],
    },
    invalid(
      'Pod "p"',
      "spec.securityContext.appArmorProfile.localhostProfile",
      'Invalid value: "\\u003c\\u0001": can only be set when AppArmor type is Localhost',
    ),
  ],
  [
    "a type that reads itself ends decoding, whatever went wrong before",
    { ...lease, patch: [put("/metadata", "x"), put("/spec/acquireTime", "x")] },
    {
      code: 400,
      reason: "BadRequest",
      message:
        'Lease in version "v1" cannot be handled as a Lease: parsing time "x" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "x" as "2006"',
    },
  ],
];

test.each(cases)("%s", async (_, asked, want) => {
  const row = { id: "", ...asked, ...want } as Row;
  const answer = (await replay(row)) as Answer;
  expect({ differs: difference(row, answer), message: answer.message }).toEqual({
    differs: undefined,
    message: want.message,
  });
});

/** Requests with an odd text, and the field it is shown for: texts with a type of their own in Go, and behind pointers, are JSON. */
const jsonTexts: readonly (readonly [Asked, string])[] = [
  [
    { ...named("v1", "ResourceQuota", "resourcequota"), patch: [put("/spec/hard", { [ODD]: "1" })] },
    `spec.hard[${ODD}]`,
  ],
  [
    { ...named("v1", "LimitRange", "limitrange"), patch: [put("/spec/limits/2/max", { [ODD]: "1" })] },
    `spec.limits[2].max[${ODD}]`,
  ],
  [
    { ...named("v1", "Pod", "pod-spec"), patch: [put("/spec/overhead", { [ODD]: "1" })] },
    `spec.overhead.limits[${ODD}]`,
  ],
  [
    {
      ...named("certificates.k8s.io/v1", "CertificateSigningRequest", "csr"),
      patch: [put("/spec/usages", [ODD, ODD])],
    },
    "spec.usages[1]",
  ],
  [
    { ...named("v1", "Service", "service-lb"), oldBase: "service-lb", patch: [put("/spec/loadBalancerClass", ODD)] },
    "spec.loadBalancerClass",
  ],
  [{ ...named("v1", "PersistentVolume", "pv"), oldBase: "pv", patch: [put("/spec/volumeMode", ODD)] }, "volumeMode"],
  [
    { ...named("v1", "PersistentVolumeClaim", "pvc"), oldBase: "pvc", patch: [put("/spec/volumeMode", ODD)] },
    "volumeMode",
  ],
  [{ ...named("batch/v1", "Job", "job"), oldBase: "job", patch: [put("/spec/managedBy", ODD)] }, "spec.managedBy"],
  [
    {
      ...named("discovery.k8s.io/v1", "EndpointSlice", "endpointslice"),
      oldBase: "endpointslice",
      patch: [put("/addressType", ODD)],
    },
    "addressType",
  ],
  [{ ...slice, oldBase: "resourceslice", patch: [put("/spec/nodeName", ODD)] }, "spec.nodeName"],
];

test.each(jsonTexts)("$kind $patch.0.path", async (asked, field) => {
  const answer = await replay({ id: "", ...asked, code: 422 });
  const messages = (answer?.causes ?? []).filter((cause) => cause.field === field).map(({ message }) => message);
  expect(messages).toContainEqual(expect.stringContaining(String.raw`value: "\u003c\u0001"`));
});

test("a metric's resource is a text until it is a name", async () => {
  const patch = [put("/spec/metrics/1/containerResource/name", ODD)];
  const answer = await replay({
    id: "",
    ...named("autoscaling/v2", "HorizontalPodAutoscaler", "hpa"),
    patch,
    code: 422,
  });
  expect(answer?.causes?.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^Invalid value: "<\\x01": name part must consist/),
    String.raw`Invalid value: "\u003c\u0001": must be a standard resource for containers`,
  ]);
});

test("a policy that is in use may become any other", async () => {
  const patch = [put("/spec/securityContext/seLinuxChangePolicy", "1")];
  const supported = (answer: Answer | undefined): string | undefined =>
    answer?.causes?.find(({ field }) => field === "spec.securityContext.seLinuxChangePolicy")?.message;
  const { oldBase: _, ...created } = pod;
  expect(supported(await replay({ id: "", ...pod, patch, code: 422 }))).toBe(
    'Unsupported value: "1": supported values: "MountOption", "Recursive"',
  );
  expect(supported(await replay({ id: "", ...created, patch, code: 422 }))).toBe(
    'Unsupported value: "1": supported values: "Recursive"',
  );
});
