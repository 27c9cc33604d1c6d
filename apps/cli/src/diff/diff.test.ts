// Owners, recorded audit events, and the grouping and counting of changes: in process, with files of strings.

import { expect, test } from "vitest";
import { runLine } from "../io.testing.ts";

const policy = (
  expression: string,
  name = "p",
  message = `${name} says no`,
): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: ${name} }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["pods"] }]
  validations: [{ expression: "${expression}", message: "${message}" }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: ${name} }
spec: { policyName: ${name}, validationActions: [Deny] }
---
`;

const owner = (kind: string, name: string): string =>
  `{ apiVersion: apps/v1, kind: ${kind}, name: ${name}, uid: "1", controller: true }`;

const object = (
  kind: string,
  name: string,
  metadata: string,
): string => `apiVersion: ${kind === "Pod" ? "v1" : "apps/v1"}
kind: ${kind}
metadata: { name: ${name}, namespace: shop, ${metadata} }
${kind === "Pod" ? "spec: { containers: [{ name: a, image: i }] }\n" : ""}---
`;

const cluster = [
  object("Pod", "web-1-x", `ownerReferences: [${owner("ReplicaSet", "web-1")}]`),
  object("ReplicaSet", "web-1", `ownerReferences: [${owner("Deployment", "web")}]`),
  object("Pod", "orphan-x", `ownerReferences: [${owner("Job", "elsewhere")}]`),
  object("Pod", "round", `ownerReferences: [${owner("Pod", "round")}]`),
  object("Pod", "part", `labels: { app.kubernetes.io/part-of: suite, team: red, area: north }`),
  object("Pod", "team", `labels: { team: blue }`),
  object("Pod", "nobody", `labels: { constructor: x }`),
].join("");

interface Report {
  readonly summary: Readonly<Record<string, number>>;
  readonly changes: readonly {
    readonly object: { readonly name: string };
    readonly owner?: string;
    readonly change: string;
  }[];
  readonly groups: Readonly<Record<string, readonly { readonly name: string; readonly changed: number }[]>>;
}

async function diff(argv: readonly string[], files: Readonly<Record<string, string>>): Promise<Report> {
  const { stdout, stderr } = await runLine(["diff", ...argv, "-o", "json"], { files });
  expect(stderr.replaceAll(/^audit.json: one recorded answer skipped: .*\n/gm, "")).toBe("");
  return JSON.parse(stdout) as Report;
}

const SETS = { "old.yaml": policy("true"), "new.yaml": policy("false"), "cluster.yaml": cluster };
const LINE = ["old.yaml", "new.yaml", "-f", "cluster.yaml"];

// biome-ignore format: one case per line
test.each([
  { argv: [],                          want: { "web-1-x": "Deployment/web", "orphan-x": "Job/elsewhere", round: "Pod/round", part: "suite", team: "blue", nobody: undefined } },
  { argv: ["--owner-label", "area"],   want: { "web-1-x": "Deployment/web", "orphan-x": "Job/elsewhere", round: "Pod/round", part: "north", team: "blue", nobody: undefined } },
])("owners with $argv", async ({ argv, want }) => {
  const { changes } = await diff([...LINE, ...argv], SETS);
  expect(Object.fromEntries(changes.map(({ object: { name }, owner: found }) => [name, found]))).toEqual(want);
});

test("groups count objects under each policy with a problem", async () => {
  const files = { ...SETS, "new.yaml": policy("false") + policy("object.metadata.name != 'team'", "q") };
  const { groups, summary } = await diff(LINE, files);
  expect(summary).toMatchObject({ objects: 7, changed: 6, denied: 6 });
  expect(groups.policy?.map(({ name, changed }) => [name, changed])).toEqual([
    ["policy p", 6],
    ["policy q", 1],
  ]);
  expect(groups.kind?.map(({ name, changed }) => [name, changed])).toEqual([["Pod", 6]]);
});

test("no difference between a set and the same set as a server stores it", async () => {
  const served = policy("false").replaceAll(
    "metadata: { name: p }",
    'metadata: { name: p, uid: "1", resourceVersion: "9", generation: 1 }',
  );
  const { summary } = await diff(LINE, { ...SETS, "old.yaml": policy("false"), "new.yaml": served });
  expect(summary).toMatchObject({ objects: 7, changed: 0 });
});

test("policies without a binding are bound on request", async () => {
  const unbound = (text: string): string => text.slice(0, text.indexOf("---\n"));
  const files = { ...SETS, "old.yaml": unbound(policy("true")), "new.yaml": unbound(policy("false")) };
  expect((await diff(LINE, files)).summary.changed).toBe(0);
  expect((await diff([...LINE, "--bind-all"], files)).summary.denied).toBe(6);
});

const event = (name: string, code: number, message = ""): string =>
  JSON.stringify({
    apiVersion: "audit.k8s.io/v1",
    kind: "Event",
    level: "Request",
    auditID: name,
    stage: "ResponseComplete",
    requestURI: "/api/v1/namespaces/shop/pods",
    verb: "create",
    user: { username: "ann" },
    objectRef: { resource: "pods", namespace: "shop", name, apiVersion: "v1" },
    responseStatus: { code, ...(message !== "" && { message, status: "Failure" }) },
    requestObject: {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, namespace: "shop" },
      spec: { containers: [{ name: "a", image: "i" }] },
    },
  });

test("responses in audit events, and codes that do not come from admission", async () => {
  const events = [
    event("good", 201),
    event("bad", 403, 'admission webhook "w.example.com" denied the request: p says no'),
    event("lax", 201),
    event("strict", 403, 'admission webhook "w.example.com" denied the request: too strict'),
    event("conflict", 409, 'pods "conflict" already exists'),
    event("rights", 403, 'pods is forbidden: User "ann" cannot create resource "pods" in API group ""'),
    event("teapot", 418, 'admission webhook "w.example.com" denied the request: a code of its own'),
  ].join("\n");
  const files = { "new.yaml": policy("!(object.metadata.name in ['bad', 'lax'])"), "audit.json": events };
  const { summary, changes } = await diff(["--recorded", "new.yaml", "-f", "audit.json"], files);
  expect(summary).toMatchObject({
    objects: 5,
    changed: 3,
    denied: 1,
    allowed: 2,
    agreedAllowed: 1,
    agreedDenied: 1,
    otherMessages: 0,
    leftOut: 2,
  });
  expect(changes.map(({ object: { name }, change }) => [name, change])).toEqual([
    ["lax", "denied"],
    ["strict", "allowed"],
    ["teapot", "allowed"],
  ]);
});

test("progress is shown on a terminal, and only there", async () => {
  const files = {
    ...SETS,
    "cluster.yaml": Array.from({ length: 600 }, (_, i) => object("Pod", `pod-${i}`, "labels: {}")).join(""),
  };
  const shown = await runLine(["diff", ...LINE], { files, terminal: 80, tick: 400 });
  expect(shown.stderr).toMatch(/comparing █+░* 512\/600 objects/);
  expect((await runLine(["diff", ...LINE], { files, tick: 400 })).stderr).toBe("");
});
