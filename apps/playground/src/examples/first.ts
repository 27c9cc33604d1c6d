// The work that a first visit shows.

import type { Work } from "@celadon/language/playground";

export const FIRST_WORK: Work = {
  mode: "validating",
  policy: `# Images come from the registry that the params name, and every container has a memory limit.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: trusted-images
spec:
  paramKind:
    apiVersion: v1
    kind: ConfigMap
  matchConstraints:
    resourceRules:
      - apiGroups: [""]
        apiVersions: ["v1"]
        resources: ["pods", "pods/ephemeralcontainers"]
        operations: ["CREATE", "UPDATE"]
  validations:
    - expression: |-
        object.spec.containers.all(c,
          c.image.startsWith(params.data.registry + '/')
        )
      messageExpression: "'images must come from ' + params.data.registry"
    - expression: |-
        object.spec.containers.all(c,
          has(c.resources) &&
          has(dyn(c.resources).limits) &&
          'memory' in dyn(c.resources).limits
        )
      message: every container needs a memory limit
    - expression: |-
        !has(object.spec.ephemeralContainers) ||
        object.spec.ephemeralContainers.all(c,
          c.image.startsWith(params.data.registry + '/')
        )
      message: images of ephemeral containers must come from the same registry
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: trusted-images-in-production
spec:
  policyName: trusted-images
  validationActions: [Deny]
  paramRef:
    name: trusted-registry
    namespace: policies
    parameterNotFoundAction: Deny
  matchResources:
    namespaceSelector:
      matchLabels:
        environment: production
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: trusted-registry
  namespace: policies
data:
  registry: registry.example.com
---
apiVersion: v1
kind: Namespace
metadata:
  name: payments
  labels:
    environment: production
`,
  object: `apiVersion: v1
kind: Pod
metadata:
  name: checkout
  namespace: payments
spec:
  containers:
    - name: app
      image: registry.example.com/checkout:1.42.0
      resources:
        limits:
          memory: 256Mi
    - name: log-shipper
      image: docker.io/acme/shipper:latest
      resources:
        limits:
          memory: 64Mi
`,
  oldObject: "",
  tests: "",
  request: { user: "ann", groups: ["dev"] },
};
