// A workspace of 500 files: policies with their bindings, and deployments that all of them look at.

const policy = (i: number): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: policy-${i} }
spec:
  matchConstraints:
    resourceRules:
    - { apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE, UPDATE] }
  variables:
  - { name: containers, expression: object.spec.template.spec.containers }
  validations:
  - expression: |
      object.spec.replicas <= ${i + 5}
    message: too many
  - expression: |
      variables.containers.all(c, !c.image.endsWith(':latest'))
  - expression: |
      has(object.metadata.labels) && 'app' in object.metadata.labels
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: binding-${i} }
spec: { policyName: policy-${i}, validationActions: [Deny] }
`;

const deployment = (i: number): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: web-${i}, namespace: default, labels: { app: web } }
spec:
  replicas: ${i % 20}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
      - { name: a, image: "a:1" }
      - { name: b, image: "b:${i % 3 === 0 ? "latest" : "1"}" }
`;

export function* workspaceFiles(): Generator<readonly [uri: string, text: string]> {
  for (let i = 0; i < 100; i++) yield [`policy-${i}.yaml`, policy(i)];
  for (let i = 0; i < 400; i++) yield [`web-${i}.yaml`, deployment(i)];
}
