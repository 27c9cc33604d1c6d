// The changes that make a denied object allowed, as edits that do it: adding before removing, all elements, all clauses.

import { describe, expect, test } from "vitest";
import { applyEdits } from "../document/file.ts";
import { Workspace } from "../workspace.ts";

const policy = (...clauses: readonly string[]): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: p }
spec:
  matchConstraints:
    resourceRules:
      - { apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods] }
  validations:
${clauses.map((clause) => `    - expression: |-\n        ${clause}\n`).join("")}---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: p }
spec: { policyName: p, validationActions: [Deny] }
`;

const LIMITS =
  "object.spec.containers.all(c, has(c.resources) && has(dyn(c.resources).limits) && 'memory' in dyn(c.resources).limits)";
const IMAGES = "object.spec.containers.all(c, c.image.startsWith('registry.example.com/'))";
const NON_ROOT = "object.spec.containers.all(c, has(c.securityContext) && c.securityContext.runAsNonRoot == true)";
const TEAM = "has(object.metadata.labels) && 'team' in object.metadata.labels";
const UNGUARDED = "object.metadata.labels.team != ''";

const BLOCK = `apiVersion: v1
kind: Pod
metadata:
  name: a
spec:
  containers:
    - name: one
      image: registry.example.com/one:1 # kept
    - name: two
      image: docker.io/acme/two:1
      resources:
        requests:
          cpu: 1
`;
const FLOW = `{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: one, image: "registry.example.com/one:1"}]}}\n`;
const JSON_TEXT = `${JSON.stringify({ apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec: { containers: [{ name: "one", image: "registry.example.com/one:1" }] } })}\n`;

// biome-ignore format: one case per line
const cases = [
  { name: "a limit for every container", clauses: [LIMITS],         text: BLOCK,     title: /^Set spec\.containers\[0\]\.resources\.limits\.memory to "128Mi" and set spec\.containers\[1\]\.resources\.limits\.memory to "128Mi"$/ },
  { name: "two clauses",                 clauses: [IMAGES, LIMITS], text: BLOCK,     title: /^Set spec\.containers\[1\]\.image to "registry\.example\.com\/two:1" and set / },
  { name: "values of two elements",      clauses: [IMAGES],         text: BLOCK.replace("registry.example.com/one", "quay.io/one"), title: /^Set spec\.containers\[0\]\.image to "registry\.example\.com\/one:1" and set spec\.containers\[1\]\.image to "registry\.example\.com\/two:1"$/ },
  { name: "a boolean",                   clauses: [NON_ROOT],       text: BLOCK,     title: /runAsNonRoot to true and set / },
  { name: "a label",                     clauses: [TEAM],           text: BLOCK,     title: /^Set metadata\.labels\.team to "example"$/ },
  { name: "a key that is read",          clauses: [UNGUARDED],      text: BLOCK,     title: /^Set metadata\.labels\.team to / },
  { name: "flow style",                  clauses: [LIMITS, TEAM],   text: FLOW,      title: /memory to "128Mi" and set metadata\.labels\.team/ },
  { name: "JSON",                        clauses: [LIMITS, TEAM],   text: JSON_TEXT, title: /memory to "128Mi" and set metadata\.labels\.team/ },
  { name: "a value",                     clauses: ["object.metadata.name != 'a'"], text: BLOCK, title: /^Set metadata\.name to / },
];

describe("a denied object", () => {
  test.each(cases)("$name", async ({ clauses, text, title }) => {
    const workspace = new Workspace();
    workspace.set("p.yaml", policy(...clauses));
    workspace.set("a.yaml", text);
    const [{ manifest }] = workspace
      .file("a.yaml")!
      .resources()
      .map(({ resource }) => resource) as [never];
    const cure = await workspace.cure(manifest, {});
    expect(cure?.title).toMatch(title);
    const changed = applyEdits(text, cure!.edits!);
    // Comments stay.
    expect(changed.includes("# kept")).toBe(text.includes("# kept"));
    workspace.set("a.yaml", changed);
    const [verdict] = await workspace.verdicts();
    expect(verdict!.problems.filter(({ level }) => level === "deny")).toEqual([]);
  });

  test("edits of block style go behind the last field of their holder", async () => {
    const workspace = new Workspace();
    workspace.set("p.yaml", policy(LIMITS));
    workspace.set("a.yaml", BLOCK);
    const [{ manifest }] = workspace
      .file("a.yaml")!
      .resources()
      .map(({ resource }) => resource) as [never];
    const { edits } = (await workspace.cure(manifest, {}))!;
    expect(applyEdits(BLOCK, edits!)).toBe(
      BLOCK.replace("# kept\n", "# kept\n      resources:\n        limits:\n          memory: 128Mi\n").replace(
        "cpu: 1\n",
        "cpu: 1\n        limits:\n          memory: 128Mi\n",
      ),
    );
  });

  test("no change is offered where none was found", async () => {
    const workspace = new Workspace();
    workspace.set("p.yaml", policy("request.userInfo.username == 'nobody'"));
    workspace.set("a.yaml", BLOCK);
    const [{ manifest }] = workspace
      .file("a.yaml")!
      .resources()
      .map(({ resource }) => resource) as [never];
    expect(await workspace.cure(manifest, {})).toBeUndefined();
  });
});
