// Verdicts that are renewed after a change equal those of a workspace that is read anew.

import { expect, test } from "vitest";
import { Workspace } from "../workspace.ts";

const RULES = `{ apiGroups: ["*"], apiVersions: ["*"], resources: [configmaps], operations: ["*"] }`;

const FILES: Readonly<Record<string, string>> = {
  "vap.yaml": `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: p }
spec:
  paramKind: { apiVersion: v1, kind: Secret }
  matchConstraints: { resourceRules: [${RULES}] }
  validations: [{ expression: "object.data.size() * 2 < params.data.max.size()" }, { expression: "'mutated' in object.metadata.labels" }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: p }
spec:
  policyName: p
  validationActions: [Deny]
  paramRef: { name: max, namespace: a, parameterNotFoundAction: Deny }
  matchResources: { namespaceSelector: { matchLabels: { checked: "yes" } } }
`,
  "map.yaml": `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: { name: m }
spec:
  reinvocationPolicy: Never
  matchConstraints: { resourceRules: [${RULES}] }
  mutations: [{ patchType: ApplyConfiguration, applyConfiguration: { expression: "Object{metadata: Object.metadata{labels: {'mutated': 'yes'}}}" } }]
`,
  "map-binding.yaml": `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: { name: m }
spec: { policyName: m }
`,
  "webhook.yaml": `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: w }
webhooks:
- name: w.example.com
  clientConfig: { service: { name: w, namespace: a } }
  sideEffects: None
  admissionReviewVersions: [v1]
  rules: [${RULES}]
  matchConditions: [{ name: c, expression: "has(object.data)" }]
`,
  "crd.yaml": `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, kind: Widget, singular: widget, listKind: WidgetList }
  versions:
  - name: v1
    served: true
    storage: true
    schema: { openAPIV3Schema: { type: object, properties: { size: { type: integer, x-kubernetes-validations: [{ rule: self < 5 }] } } } }
`,
  "crp.yaml": `apiVersion: policy.cert-manager.io/v1alpha1
kind: CertificateRequestPolicy
metadata: { name: own }
spec: { selector: { issuerRef: {} }, allowed: { dnsNames: { values: ["*.svc"] } } }
`,
  "params.yaml": `apiVersion: v1\nkind: Secret\nmetadata: { name: max, namespace: a }\ndata: { max: "MQ==" }\n`,
  "namespaces.yaml": `apiVersion: v1\nkind: Namespace\nmetadata: { name: a, labels: { checked: "yes" } }\n---\napiVersion: v1\nkind: Namespace\nmetadata: { name: b, labels: { checked: "no" } }\n`,
  "objects.yaml": `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: one, namespace: a, labels: { x: z } }\ndata: { a: b }
---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: three, namespace: a, labels: { x: z } }\ndata: { a: b, c: d, e: f }
---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: other, namespace: b, labels: { x: z } }\ndata: { a: b }
---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: unreadable, namespace: a, labels: { x: yes } }
---\napiVersion: example.com/v1\nkind: Widget\nmetadata: { name: w, namespace: a }\nsize: 7
---\napiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata: { name: c, namespace: a }\nspec: { secretName: c, dnsNames: [a.svc], issuerRef: { name: ca } }\n`,
};

async function shown(workspace: Workspace): Promise<unknown> {
  return (await workspace.verdicts()).map(({ manifest, problems, truths, mutations, webhooks, certificate }) => ({
    name: manifest.object.metadata,
    problems: problems.map(({ message, level }) => `${level} ${message}`),
    truths: truths.get("p"),
    mutations: [...mutations],
    webhooks: webhooks.map(({ outcome, webhook }) => `${webhook.webhook.name} ${outcome}`),
    certificate: certificate?.result,
  }));
}

// biome-ignore format: one change per line
test.each([
  { file: "vap.yaml",         from: "2 < params",       to: "2 > params" },
  { file: "vap.yaml",         from: "configmaps",       to: "secrets" },
  { file: "vap.yaml",         from: "policyName: p",    to: "policyName: q" },
  { file: "map.yaml",         from: "'mutated'",        to: "'other'" },
  { file: "map.yaml",         from: "configmaps",       to: "widgets" },
  { file: "map-binding.yaml", from: "policyName: m",    to: "policyName: n" },
  { file: "webhook.yaml",     from: "has(object.data)", to: "false" },
  { file: "crd.yaml",         from: "self < 5",         to: "self < 9" },
  { file: "crp.yaml",         from: "*.svc",            to: "*.com" },
  { file: "params.yaml",      from: "MQ==",             to: "MTIzNDU2" },
  { file: "namespaces.yaml",  from: 'checked: "no"',    to: 'checked: "yes"' },
  { file: "namespaces.yaml",  from: 'checked: "yes"',   to: 'checked: "no"' },
  { file: "objects.yaml",     from: "c: d, e: f",       to: "" },
])("$file: $from becomes $to, and back", async ({ file, from, to }) => {
  const workspace = new Workspace();
  for (const [uri, text] of Object.entries(FILES)) workspace.set(uri, text);
  const before = await shown(workspace);
  expect(before).toEqual(await shown(workspace));
  const changed = { ...FILES, [file]: FILES[file]!.replace(from, to) };
  expect(changed[file]).not.toBe(FILES[file]);
  workspace.set(file, changed[file]!);
  const renewed = await shown(workspace);
  const fresh = new Workspace();
  for (const [uri, text] of Object.entries(changed)) fresh.set(uri, text);
  expect(renewed).toEqual(await shown(fresh));
  expect(renewed).not.toEqual(before);
  workspace.set(file, FILES[file]!);
  expect(await shown(workspace)).toEqual(before);
});
