// Answers of a server to requests that differed once, and that no recording has.

import { expect, test } from "vitest";
import { type Answer, difference, type Row, replay } from "./replay.testing.ts";

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
