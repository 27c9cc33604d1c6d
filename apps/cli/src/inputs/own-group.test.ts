// Policies of our own group in files: they decide like the built-in kinds, with the fields of their gates.

import { expect, test } from "vitest";
import { runLine } from "../io.testing.ts";

const POLICIES = `
apiVersion: policies.celadon.dev/v1
kind: ValidatingAdmissionPolicy
metadata: { name: alone }
spec:
  singletonPolicy: true
  matchConstraints:
    excludeNamespaces: [free]
    resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps] }]
  validations: [{ expression: "object.metadata.name != 'bad'", message: no bad names }]
---
apiVersion: policies.celadon.dev/v1
kind: ValidatingAdmissionPolicy
metadata: { name: tenant }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps, namespaces] }]
  validations: [{ expression: "object.metadata.name == 'good'", message: only good }]
---
apiVersion: policies.celadon.dev/v1
kind: NamespacedValidatingAdmissionPolicyBinding
metadata: { name: tenant, namespace: shop }
spec: { policyName: tenant, validationActions: [Deny] }
`;
const object = (kind: string, name: string, namespace?: string): string =>
  JSON.stringify({ apiVersion: "v1", kind, metadata: { name, ...(namespace && { namespace }) } });
const OBJECTS = [
  object("ConfigMap", "bad", "default"),
  object("ConfigMap", "bad", "free"),
  object("ConfigMap", "other", "shop"),
  object("ConfigMap", "other", "default"),
  object("Namespace", "shop"),
].join("\n---\n");

const deniedWith = async (...flags: readonly string[]): Promise<readonly string[]> => {
  const { stdout } = await runLine(
    ["check", "-f", "p.yaml", "-f", "o.yaml", "--field-validation", "Ignore", "-o", "json", ...flags],
    { files: { "p.yaml": POLICIES, "o.yaml": OBJECTS } },
  );
  const { objects } = JSON.parse(stdout) as {
    objects: { allowed: boolean; object: { kind: string; name: string; namespace?: string } }[];
  };
  return objects.flatMap(({ allowed, object: { kind, name, namespace } }) =>
    allowed ? [] : [`${kind} ${namespace}/${name}`],
  );
};

test("bindings of a namespace, and what the gates bring", async () => {
  expect(await deniedWith()).toEqual(["ConfigMap shop/other"]);
  const gates = "--feature-gates=SingletonPolicies=true,NamespaceLists=true";
  expect(await deniedWith(gates)).toEqual(["ConfigMap default/bad", "ConfigMap shop/other"]);
  const bad = await runLine(["check", "-f", "p.yaml", "--feature-gates=Nonsense=true"], {
    files: { "p.yaml": POLICIES },
  });
  expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining("Nonsense")]);
});
