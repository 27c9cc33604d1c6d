// Whole resources to begin with, in an empty document.

import type { Completion } from "./completion.ts";

function resource(label: string, about: string, insert: string): Completion {
  return { label, kind: "snippet", detail: about, insert, snippet: true };
}

export const RESOURCE_SNIPPETS: readonly Completion[] = [
  resource(
    "ValidatingAdmissionPolicy",
    "a policy and its binding",
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: \${1:name}
spec:
  matchConstraints:
    resourceRules:
    - apiGroups: [\${2:apps}]
      apiVersions: [\${3:v1}]
      operations: [CREATE, UPDATE]
      resources: [\${4:deployments}]
  validations:
  - expression: |-
      \${5:object.spec.replicas <= 5}
    message: \${6:say what is wrong}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: \${1:name}
spec:
  policyName: \${1:name}
  validationActions: [Deny]
`,
  ),
  resource(
    "MutatingAdmissionPolicy",
    "a mutating policy and its binding",
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata:
  name: \${1:name}
spec:
  matchConstraints:
    resourceRules:
    - apiGroups: [\${2:""}]
      apiVersions: [\${3:v1}]
      operations: [CREATE]
      resources: [\${4:pods}]
  failurePolicy: Fail
  reinvocationPolicy: Never
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: |-
        Object{\${5:metadata: Object.metadata{}}}
`,
  ),
  resource(
    "CertificateRequestPolicy",
    "a certificate policy",
    `apiVersion: policy.cert-manager.io/v1alpha1
kind: CertificateRequestPolicy
metadata:
  name: \${1:name}
spec:
  allowed:
    dnsNames:
      values: ["\${2:*.example.com}"]
  selector:
    issuerRef: {}
`,
  ),
  resource(
    "TestSuite",
    "a test suite",
    `apiVersion: celadon.dev/v1
kind: TestSuite
metadata:
  name: \${1:name}
resources:
- \${2:policy.yaml}
tests:
- name: \${3:what is allowed}
  object: \${4:object.yaml}
  expect: allow
`,
  ),
];
