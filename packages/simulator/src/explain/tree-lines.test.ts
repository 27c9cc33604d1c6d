// Expressions as people read them: as written, on one line, and cut where lines below show the rest.

import { createPolicySet } from "@celadon/admission";
import { explain } from "@celadon/admission/explain";
import { expect, test } from "vitest";
import { oneLine, treeLines, writtenLines } from "./tree-lines.ts";

// biome-ignore format: one case per line
test.each([
  ["a &&\n  b",                                      "a && b"],
  ["f(\n  a,\n  b\n)",                               "f(a, b)"],
  ["// why\na || // and this\nb",                    "a || b"],
  ["a == 'http://x' // a link\n&& b",                "a == 'http://x' && b"],
  ["a == r\"\\\" // not in the string\n|| b",        "a == r\"\\\" || b"],
  ["a == '''x // y\n''' // z",                       "a == '''x // y '''"],
])("%j on one line", (text, want) => expect(oneLine(text)).toBe(want));

test("as written, without the indentation that all lines share", () => {
  expect(writtenLines("\n    // why\n    a ||\n      b\n\n")).toEqual(["// why", "a ||", "  b"]);
  expect(writtenLines("a")).toEqual(["a"]);
});

async function linesOf(expression: string): Promise<string[]> {
  const meta = { apiVersion: "admissionregistration.k8s.io/v1", metadata: { name: "p" } };
  const resourceRules = [{ apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], operations: ["CREATE"] }];
  const policies = createPolicySet([
    {
      ...meta,
      kind: "ValidatingAdmissionPolicy",
      spec: { matchConstraints: { resourceRules }, validations: [{ expression }] },
    },
    { ...meta, kind: "ValidatingAdmissionPolicyBinding", spec: { policyName: "p", validationActions: ["Deny"] } },
  ] as never);
  const object = { apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec: { containers: [{ name: "c" }] } };
  const { expressions } = await explain(
    {
      kind: { group: "", version: "v1", kind: "Pod" },
      resource: { group: "", version: "v1", resource: "pods" },
      operation: "CREATE",
      object,
    } as never,
    policies.entries(),
  );
  return treeLines(expressions[0]!.tree).map(({ depth, role, text }) => `${"  ".repeat(depth)}${role} ${text}`);
}

test("constants that were not evaluated have no line", async () => {
  expect(await linesOf("object.metadata.name in ['x', 'y'] || object.metadata.name in [\"z\", \"1\"]")).toEqual([
    "part object.metadata.name in ['x', 'y']",
    "  part object.metadata.name",
    'part object.metadata.name in ["z", "1"]',
    "  part object.metadata.name",
  ]);
});

test("a long part is cut where lines below show it, so that lines do not grow with the depth", async () => {
  const long =
    "object.spec.containers.all(container, container.name.startsWith('some-prefix-') && container.name.endsWith('-x'))";
  const [first] = await linesOf(`(${long} && ${long}) || object.metadata.name == 'b'`);
  expect(first!.length).toBeLessThan(40);
});
