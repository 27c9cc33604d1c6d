import { existsSync, readdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Double, nearestName } from "@celadon/base";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CORPUS, hasCorpus } from "../../../../conformance/src/corpus/corpus-directory.ts";
import { builtinSchema } from "../builtin/index.ts";
import { parseGroupVersion } from "../gvk.ts";
import { isInvalid } from "../invalid.ts";
import { readDocument } from "../read/index.ts";
import type { Schema } from "../schema/schema.ts";
import { checkShape } from "./check-shape.ts";

function schemaOf(object: unknown): Schema {
  const { apiVersion, kind } = object as { apiVersion: string; kind: string };
  const version = parseGroupVersion(apiVersion);
  if (isInvalid(version)) throw version;
  return builtinSchema({ ...version, kind })!;
}

function check(text: string): string[] {
  const read = readDocument(text, { format: "yaml", double: (n) => new Double(n) });
  if (!("value" in read)) throw new Error(JSON.stringify(read));
  return checkShape(read.value, schemaOf(read.value))
    .filter(({ code }) => code !== "missing_field")
    .map(({ message }) => message);
}

const DEPLOYMENT = "apiVersion: apps/v1, kind: Deployment";
const POD = "apiVersion: v1, kind: Pod";
const POLICY = "apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy";
const QUANTITY = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

// The cases of policies are as an API server answered them.
// biome-ignore format: one case per line
const cases: [string, string[]][] = [
  [`{${DEPLOYMENT}, spec: {replica: 1}}`,                                 ['unknown field "spec.replica"']],
  [`{${DEPLOYMENT}, spec: {replicas: x}}`,                                ["json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32"]],
  [`{${DEPLOYMENT}, spec: {replicas: 1.5}}`,                              ["json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32"]],
  [`{${DEPLOYMENT}, spec: {replicas: 1.0}}`,                              ["json: cannot unmarshal number 1.0 into Go struct field DeploymentSpec.spec.replicas of type int32"]],
  [`{${DEPLOYMENT}, spec: {replicas: 2147483648}}`,                       ["json: cannot unmarshal number 2147483648 into Go struct field DeploymentSpec.spec.replicas of type int32"]],
  [`{${DEPLOYMENT}, spec: {replicas: -2147483648, paused: null}}`,        []],
  [`{${DEPLOYMENT}, spec: []}`,                                           ["json: cannot unmarshal array into Go struct field Deployment.spec of type v1.DeploymentSpec"]],
  [`{${DEPLOYMENT}, spec: {strategy: {rollingUpdate: {maxSurge: true}}}}`, ["json: cannot unmarshal bool into Go value of type int32"]],
  [`{${DEPLOYMENT}, spec: {strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 25%}}}}`, []],
  [`{${POD}, spec: {containers: [{name: a, env: [{name: A, value: 1}]}]}}`, ["json: cannot unmarshal number into Go struct field EnvVar.spec.containers.env.value of type string"]],
  [`{${POD}, spec: {containers: [x]}}`,                                   ["json: cannot unmarshal string into Go struct field PodSpec.spec.containers of type v1.Container"]],
  [`{${POD}, spec: {containers: {}}}`,                                    ["json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container"]],
  [`{${POD}, spec: {containers: [{imagePullPolicy: 1, ports: [{}, {portt: 1}]}]}}`, ["json: cannot unmarshal number into Go struct field Container.spec.containers.imagePullPolicy of type v1.PullPolicy", 'unknown field "spec.containers[0].ports[1].portt"']],
  [`{${POD}, spec: {containers: [{resources: {limits: {cpu: 1, memory: 1.5, x: 1Gi}}}]}}`, []],
  [`{${POD}, spec: {containers: [{resources: {limits: {cpu: true, memory: 1GB}}}]}}`, [QUANTITY, QUANTITY]],
  [`{${POD}, spec: {containers: [{resources: {limits: 5}}]}}`,            ["json: cannot unmarshal number into Go struct field ResourceRequirements.spec.containers.resources.limits of type v1.ResourceList"]],
  [`{${POD}, spec: {volumes: [{emptyDir: {sizeLimit: [1]}}]}}`,           [QUANTITY]],
  [`{${POD}, metadata: {labels: {a: 1}, annotations: [], uid: 5}}`,       ["json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string", "json: cannot unmarshal array into Go struct field ObjectMeta.metadata.annotations of type map[string]string", "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.uid of type types.UID"]],
  [`{${POD}, metadata: {creationTimestamp: null, deletionTimestamp: "2024-02-30T00:00:00Z"}}`, ['metadata.deletionTimestamp: expected a time as in RFC 3339, found "2024-02-30T00:00:00Z"']],
  [`{${POD}, metadata: {creationTimestamp: 1}}`,                          ["json: cannot unmarshal number into Go value of type string"]],
  [`{${POD}, metadata: {creationTimestamp: "2024-02-28T00:00:00.5+01:00", managedFields: [{fieldsV1: {"f:a": {}}}]}}`, []],
  [`{apiVersion: v1, kind: Secret, data: {a: Yg==, b: "é", c: 1}}`,       ["data.b: illegal base64 data", "json: cannot unmarshal number into Go struct field Secret.data of type []uint8"]],
  [`{apiVersion: v1, kind: Secret, dat: {}}`,                             ['unknown field "dat"']],
  [`{${POLICY}, spec: {validations: x}}`,                                 ["json: cannot unmarshal string into Go struct field ValidatingAdmissionPolicySpec.spec.validations of type []v1.Validation"]],
  [`{${POLICY}, spec: {validations: [{expression: true}]}}`,              ["json: cannot unmarshal bool into Go struct field Validation.spec.validations.expression of type string"]],
  [`{${POLICY}, spec: {failurePolicy: 1, matchConstraints: {resourceRules: {}}}}`, ["json: cannot unmarshal number into Go struct field ValidatingAdmissionPolicySpec.spec.failurePolicy of type v1.FailurePolicyType", "json: cannot unmarshal object into Go struct field MatchResources.spec.matchConstraints.resourceRules of type []v1.NamedRuleWithOperations"]],
  [`{${POLICY}, spec: {validations: [{rule: x}], unknownField: 1}}`,      ['unknown field "spec.validations[0].rule"', 'unknown field "spec.unknownField"']],
  [`{${POLICY}, metadata: {name: 5}}`,                                    ["json: cannot unmarshal number into Go struct field ObjectMeta.metadata.name of type string"]],
  ["{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, spec: {validationActions: Deny}}", ["json: cannot unmarshal string into Go struct field ValidatingAdmissionPolicyBindingSpec.spec.validationActions of type []v1.ValidationAction"]],
  ["{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {metrics: 1}}", ["json: cannot unmarshal number into Go struct field HorizontalPodAutoscalerSpec.spec.metrics of type []v2.MetricSpec"]],
  ["{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: {versions: [{schema: {openAPIV3Schema: {properties: {spec: {x-kubernetes-validations: [{severity: 1}], default: {a: [1]}}}}}}]}}", ['unknown field "spec.versions[0].schema.openAPIV3Schema.properties.spec.x-kubernetes-validations[0].severity"']],
];
test.each(cases)("%s", (text, want) => expect(check(text)).toEqual(want));

test("a problem is data", () => {
  expect(
    checkShape({ spec: { replica: 1 } }, builtinSchema({ group: "apps", version: "v1", kind: "ReplicaSet" })!),
  ).toEqual([
    {
      code: "unknown_field",
      path: ["spec", "replica"],
      field: "spec.replica",
      message: 'unknown field "spec.replica"',
      suggestion: "replicas",
    },
    {
      code: "missing_field",
      path: ["spec", "selector"],
      field: "spec.selector",
      message: 'missing required field "spec.selector"',
    },
  ]);
  expect(checkShape("x", builtinSchema({ group: "", version: "v1", kind: "Pod" })!)[0]!.message).toBe(
    "json: cannot unmarshal string into Go value of type v1.Pod",
  );
});

// biome-ignore format: one case per line
test.each([
  ["replica", "replicas"], ["Replicas", "replicas"], ["conatiners", "containers"], ["contianers", "containers"], ["img", undefined], ["imag", "image"], ["", undefined], ["x", undefined],
])("nearest to %j", (name, want) => {
  expect(nearestName(name, ["replicas", "containers", "image", "initContainers", "name"])).toBe(want);
});

test("names that mean something to JavaScript are unknown fields", () => {
  const object = JSON.parse('{"apiVersion": "v1", "kind": "Pod", "spec": {"__proto__": {}, "constructor": 1}}');
  expect(checkShape(object, schemaOf(object)).map(({ message }) => message)).toEqual([
    'unknown field "spec.__proto__"',
    'unknown field "spec.constructor"',
    'missing required field "spec.containers"',
  ]);
});

describe("any data", () => {
  test("gives problems, never an exception", () => {
    const field = fc.constantFrom(
      "spec",
      "containers",
      "resources",
      "limits",
      "cpu",
      "metadata",
      "name",
      "__proto__",
      "env",
      "nope",
    );
    const { node } = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom(null, 0, 1.5, "", "x", true, 10n ** 30n),
        fc.array(tie("node"), { maxLength: 2 }),
        fc.dictionary(field, tie("node"), { maxKeys: 4 }),
      ),
    }));
    const pod = builtinSchema({ group: "", version: "v1", kind: "Pod" })!;
    fc.assert(
      fc.property(node, (value) => void checkShape(value, pod)),
      { numRuns: 1000 },
    );
  });
});

const POLICIES = pathToFileURL(`${CORPUS}/policies/`);

interface Recorded {
  readonly objects: Readonly<
    Record<string, { readonly code: number; readonly message?: string; readonly warnings?: string[] }>
  >;
}

function recordedObjects(): { file: string; text: string; answer: Recorded["objects"][string] }[] {
  if (!hasCorpus) return [];
  const directories = readdirSync(POLICIES, { recursive: true, encoding: "utf8" }).filter((text) =>
    text.endsWith("recorded.json"),
  );
  return directories.flatMap((directory) => {
    const { objects } = JSON.parse(readFileSync(new URL(directory, POLICIES), "utf8")) as Recorded;
    return Object.entries(objects).map(([file, answer]) => {
      const at = new URL(`${directory.slice(0, -"recorded.json".length)}objects/${file}`, POLICIES);
      return { file: at.pathname, text: existsSync(at) ? readFileSync(at, "utf8") : "", answer };
    });
  });
}

const objects = recordedObjects();

test.skipIf(!hasCorpus)("objects that an API server answered", () => {
  const seen = { taken: 0, refused: 0 };
  for (const { file, text, answer } of objects) {
    const read = readDocument(text, { format: "yaml" });
    if (!("value" in read)) continue;
    const schema = schemaOf(read.value);
    if (schema === undefined) continue;
    const wrong = checkShape(read.value, schema).filter(
      ({ code }) => code === "wrong_type" || code === "invalid_value",
    );
    const refused = /cannot be handled as a \w+: (json: .*)/.exec(answer.message ?? "")?.[1];
    if (refused !== undefined) {
      expect([file, wrong[0]?.message]).toEqual([file, refused]);
      seen.refused++;
    } else if (answer.code < 300) {
      expect([file, wrong]).toEqual([file, []]);
      seen.taken++;
    }
  }
  expect(seen.taken).toBeGreaterThan(500);
  expect(seen.refused).toBeGreaterThan(0);
});
