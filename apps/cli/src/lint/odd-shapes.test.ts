// Any value in any place of a resource: lint and cost have an answer, never a crash.

import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { everyNth } from "../../../../conformance/src/corpus/corpus-directory.ts";
import { runLine } from "../io.testing.ts";

const RESOURCES = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p, annotations: {celadon.dev/lint-ignore: x}}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}], namespaceSelector: {matchLabels: {a: b}}}
  matchConditions: [{name: x, expression: object.kind == 'x'}]
  variables: [{name: limit, expression: object.spec.replicas}]
  validations: [{expression: object.spec.replicas < 3, message: m, messageExpression: "'x'"}]
  auditAnnotations: [{key: a, valueExpression: "'x'"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: b}
spec: {policyName: p, validationActions: [Deny], paramRef: {name: x, namespace: ns, parameterNotFoundAction: Deny}, matchResources: {namespaceSelector: {matchExpressions: [{key: a, operator: In, values: [b]}]}}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {list: {type: array, items: {type: string, format: fancy}}}, x-kubernetes-validations: [{rule: self.list.size() < 3, message: m}]}}}}}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: w}
webhooks:
  - name: a.b.c
    admissionReviewVersions: [v1]
    sideEffects: None
    clientConfig: {service: {namespace: a, name: b}}
    rules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
    matchConditions: [{name: x, expression: object.kind == 'x'}]
    namespaceSelector: {matchLabels: {a: b}}
---
apiVersion: policy.cert-manager.io/v1alpha1
kind: CertificateRequestPolicy
metadata: {name: p}
spec:
  allowed: {commonName: {value: "*.com", validations: [{rule: "self.startsWith('x')", message: m}]}}
  selector: {issuerRef: {name: x}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: r, namespace: ns}
subjects: [{kind: User, name: ann}]
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: r, namespace: ns}
rules: [{apiGroups: ["*"], resources: ["*"], verbs: [use], resourceNames: [x]}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: d}
spec: {replicas: 1}
`;
const resources = parseAllDocuments(RESOURCES).map((document) => document.toJS() as Record<string, unknown>);
const ODD: readonly unknown[] = [null, "x", 3, [], {}, [null], ["a"], [{}], ""];

function* pathsIn(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (path.length > 0) yield path;
  if (typeof value !== "object" || value === null) return;
  for (const [key, item] of Object.entries(value)) yield* pathsIn(item, [...path, key]);
}

/** The resource gets a name of its own, unless the name is odd. */
function withOdd(resource: object, path: readonly string[], odd: unknown, name: string): object {
  const copy = structuredClone(resource) as Record<string, unknown>;
  copy.metadata = { ...(copy.metadata as object), name };
  let holder = copy;
  for (const key of path.slice(0, -1)) holder = holder[key] as Record<string, unknown>;
  holder[path.at(-1)!] = odd;
  return copy;
}

// biome-ignore format: one case per line
test.each(resources.map((resource) => [String(resource.kind), resource] as const))("%s", { timeout: 120_000 }, async (_, resource) => {
  const crashes: string[] = [];
  for (const path of everyNth([...pathsIn(resource)], 3)) {
    const odd = ODD.map((value, i) => [`odd/${i}.json`, JSON.stringify(withOdd(resource, path, value, `odd${i}`))]);
    const files = { "a.yaml": RESOURCES, ...Object.fromEntries(odd) };
    for (const verb of ["lint", "cost"]) {
      const { code, stderr } = await runLine([verb, "-f", "a.yaml", "-f", "odd", "-q"], { files });
      // A file that is no manifest any more is bad input.
      if (code !== 0 && code !== 1 && !(code === 2 && path.length === 1)) crashes.push(`${verb} ${path.join(".")}: ${stderr}`);
    }
  }
  expect(crashes).toEqual([]);
});
