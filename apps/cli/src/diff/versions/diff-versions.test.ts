// `celadon diff` over versions of Kubernetes.

import { startServer } from "@celadon/apiserver/testing";
import { expect, onTestFinished, test } from "vitest";
import { runLine } from "../../io.testing.ts";

const POLICY = (
  name: string,
  version: string,
  expression: string,
): string => `apiVersion: admissionregistration.k8s.io/${version}
kind: ValidatingAdmissionPolicy
metadata: { name: ${name} }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods] }]
  validations: [{ expression: "${expression}" }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: ${name} }
spec: { policyName: ${name}, validationActions: [Deny] }
---
`;
const SERVICE = `apiVersion: v1
kind: Service
metadata: { name: web }
spec: { trafficDistribution: PreferClose, ports: [{ port: 80 }], externalIPs: [010.2.3.4] }
---
`;
const POD = `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  hostnameOverride: web
  resources: { requests: { cpu: "1" } }
  containers: [{ name: web, image: good/web }]
---
`;
const files = {
  "policies.yaml":
    POLICY("old", "v1beta1", "true") +
    POLICY("cost", "v1", "object.spec.containers.all(c, c.image.startsWith('good/'))") +
    POLICY("first", "v1", "object.spec.containers.first().value().image != ''"),
  "objects.yaml": `${SERVICE}${POD}apiVersion: v1\nkind: Endpoints\nmetadata: { name: web }\n`,
};

interface Change {
  readonly change: string;
  readonly kubeVersion: string;
  readonly until?: string;
  readonly object: { readonly kind: string; readonly name: string };
  readonly field?: string;
  readonly message?: string;
}

async function diff(
  ...argv: readonly string[]
): Promise<{ readonly code: number; readonly changes: readonly string[] }> {
  const { code, stdout } = await runLine(["diff", ...argv, "-o", "json"], { files });
  const { changes } = JSON.parse(stdout) as { readonly changes: readonly Change[] };
  const text = ({ change, kubeVersion, until, object, field = "" }: Change): string =>
    [change, object.kind, object.name, kubeVersion, ...(until === undefined ? [] : [`until ${until}`]), field]
      .join(" ")
      .trim();
  return { code, changes: changes.map(text) };
}

test("each change with the version that brings it", async () => {
  const { code, changes } = await diff("--kube-version", "1.30..1.37", "-f", "policies.yaml", "-f", "objects.yaml");
  expect(code).toBe(1);
  expect(changes).toEqual(
    expect.arrayContaining([
      "denied Service web 1.36",
      "removed ValidatingAdmissionPolicy old 1.34",
      "accepted ValidatingAdmissionPolicy first 1.33",
      "known Pod web 1.34 spec.hostnameOverride",
      "known Pod web 1.32 spec.resources",
      "stored Service web 1.31 spec.trafficDistribution",
      "deprecated Endpoints web 1.33",
      "warned Service web 1.33 until 1.36",
    ]),
  );
});

test("nothing changes where nothing does, and versions between the ends are looked at", async () => {
  const { code, changes } = await diff("--kube-version", "1.34,1.36", "policies.yaml", "objects.yaml");
  expect(code).toBe(1);
  expect(changes).toContain("denied Service web 1.36");
  const same = await runLine(["diff", "--kube-version", "1.36..1.37", "-f", "one.yaml"], {
    files: { "one.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n" },
  });
  expect([same.code, same.stdout]).toEqual([0, "nothing changes for 1 object from Kubernetes 1.36 to 1.37\n"]);
});

test("--fail-on says which changes fail", async () => {
  const line = ["diff", "--kube-version", "1.32..1.33", "-f", "objects.yaml"];
  expect((await runLine(line, { files })).code).toBe(0);
  expect((await runLine([...line, "--fail-on", "denied"], { files })).code).toBe(0);
  expect((await runLine([...line, "--fail-on", "any"], { files })).code).toBe(1);
});

test("every format", async () => {
  for (const format of ["junit", "sarif", "github", "table", "yaml"]) {
    const line = ["diff", "--kube-version", "1.34..1.37", "-f", "objects.yaml", "-o", format];
    const { code, stdout } = await runLine(line, { files });
    expect([code, stdout.includes("must not have leading 0s")], format).toEqual([1, true]);
  }
});

test.each([
  [["--kube-version", "1.33..1.37"], /nothing to compare\n.*celadon diff --kube-version 1.33..1.37/],
  [["--kube-version", "1.33..1.37", "-f", "objects.yaml", "--old-git", "HEAD"], /--old-git compares sets/],
  [["--kube-version", "1.33..1.37", "-f", "objects.yaml", "--recorded"], /--recorded compares sets/],
  [["--kube-version", "1.33..1.99", "-f", "objects.yaml"], /--kube-version 1.99 is not supported/],
] as const)("%j is a mistake", async (argv, want) => {
  const { code, stderr } = await runLine(["diff", ...argv], { files });
  expect([code, stderr]).toEqual([2, expect.stringMatching(want)]);
});

test("sets are compared as one version has them", async () => {
  const line = (minor: string): string[] => [
    "diff",
    "policies.yaml",
    "-f",
    "objects.yaml",
    "--kube-version",
    minor,
    "-o",
    "json",
  ];
  const refused = async (minor: string): Promise<readonly string[]> => {
    const { resources } = JSON.parse((await runLine(line(minor), { files })).stdout);
    return resources.flatMap(({ name, refused }: { name: string; refused?: string }) =>
      refused === undefined ? [] : [name],
    );
  };
  expect(await refused("1.32")).toEqual(["first"]);
  expect(await refused("1.37")).toEqual(["old"]);
});

test("the objects of a cluster", async () => {
  const server = await startServer({ kubeVersion: "1.34", manifests: [SERVICE] });
  onTestFinished(() => server.close());
  const line = ["diff", "--kube-version", "1.34..1.37", "--cluster", "--kubeconfig", server.kubeconfigFile];
  const { code, stdout } = await runLine(line);
  expect(code).toBe(1);
  expect(stdout).toContain("✗ Service default/web  since 1.36");
});

test("an expression with another value for an object is shown with that object", async () => {
  const given = {
    "p.yaml": POLICY("port", "v1", "object.metadata.name.lastIndexOf('x') == -1 || ''.lastIndexOf('x') == -1"),
    "o.yaml": "apiVersion: v1\nkind: Pod\nmetadata: { name: x }\nspec: { containers: [{ name: x, image: x }] }\n",
  };
  const { code, stdout } = await runLine(["diff", "--kube-version", "1.32..1.37", "p.yaml", "o.yaml"], {
    files: given,
  });
  expect(code).toBe(1);
  expect(stdout).toContain(
    "✗ ValidatingAdmissionPolicy port  since 1.34  p.yaml:1:1\n      spec.validations[0].expression: an error → true, for Pod default/x\n",
  );
});

const CACHES = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: caches.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: caches, singular: cache, kind: Cache, listKind: CacheList }
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties: { users: { type: array, maxItems: 3, items: { type: string, maxLength: 9 } } }
        x-kubernetes-validations: [{ rule: "self.users.first().value() != 'root'" }]
---
apiVersion: example.com/v1
kind: Cache
metadata: { name: a }
users: [root]
`;

test("a version that rejects a definition says nothing about its objects", async () => {
  const line = ["diff", "--kube-version", "1.32..1.37", "-f", "cache.yaml"];
  const { stdout } = await runLine(line, { files: { "cache.yaml": CACHES } });
  expect(stdout).toContain("✓ CustomResourceDefinition caches.example.com  since 1.33");
  expect(stdout).not.toContain("objects that become denied");
});

test("costs far below their limit are counted, and listed with --all", async () => {
  const given = {
    "p.yaml": POLICY("last", "v1", "object.spec.containers.all(c, c.image.lastIndexOf('') >= 0)"),
    "o.yaml": POD,
  };
  const line = ["diff", "--kube-version", "1.31..1.37", "p.yaml", "o.yaml"];
  expect((await runLine(line, { files: given })).stdout).toMatch(
    /1 stays below a tenth of the limit; --all shows them/,
  );
  expect((await runLine([...line, "--all"], { files: given })).stdout).toMatch(
    /validations\[0\].expression: the greatest cost/,
  );
});
