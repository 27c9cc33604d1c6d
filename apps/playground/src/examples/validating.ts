// Validating policies: the use cases of the proposals for CEL in admission, as Kubernetes shipped them.

import { type Example, example } from "./example.ts";
import { FIRST_WORK } from "./first.ts";
import { binding, deployment, GROUP, matching, pod } from "./parts.ts";

const REPLICAS = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: at-most-100-replicas
spec:
${matching("apps", "deployments")}
  validations:
    - expression: object.spec.replicas < 100
      message: a deployment may have 99 replicas at most
${binding("at-most-100-replicas")}`;

const BANNED = `# One list of words, for as many policies as need it.
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: bannedwords.rules.example.com
spec:
  group: rules.example.com
  scope: Cluster
  names: { plural: bannedwords, singular: bannedword, kind: BannedWords, listKind: BannedWordsList }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                bannedWords:
                  type: array
                  items: { type: string }
---
apiVersion: rules.example.com/v1
kind: BannedWords
metadata:
  name: in-names
spec:
  bannedWords: [glitter, rainbow]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: banned-container-names
spec:
  paramKind:
    apiVersion: rules.example.com/v1
    kind: BannedWords
${matching("", "pods")}
  variables:
    - name: containers
      expression: object.spec.containers + object.spec.?initContainers.orValue([])
  validations:
    - expression: variables.containers.all(c, !(c.name in params.spec.bannedWords))
      messageExpression: "'no container may be called ' + params.spec.bannedWords.join(' or ')"
${binding(
  "banned-container-names",
  `  validationActions: [Deny]
  paramRef:
    name: in-names
    parameterNotFoundAction: Deny`,
)}`;

const LABELS = `# Reserved labels are for those who may use them.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: reserved-labels
spec:
  paramKind:
    apiVersion: v1
    kind: ConfigMap
${matching("", "pods")}
  validations:
    - expression: |-
        ['team', 'tier'].all(label,
          !(label in object.metadata.?labels.orValue({})) ||
          label in params.data.allowed.split(',')
        )
      message: team and tier are reserved labels
      reason: Forbidden
${binding(
  "reserved-labels",
  `  validationActions: [Deny]
  paramRef:
    name: allowed-labels
    parameterNotFoundAction: Allow`,
)}---
apiVersion: v1
kind: ConfigMap
metadata:
  name: allowed-labels
  namespace: shop
data:
  allowed: team
`;

const EPHEMERAL = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: all-containers
spec:
${matching("", "pods")}
  validations:
    - expression: object.spec.containers.all(c, c.name.startsWith('xyz-'))
    - expression: |-
        !has(object.spec.initContainers) ||
        object.spec.initContainers.all(c, c.name.startsWith('xyz-'))
    - expression: |-
        !has(object.spec.ephemeralContainers) ||
        object.spec.ephemeralContainers.all(c, c.name.startsWith('xyz-'))
${binding("all-containers", "  validationActions: [Warn, Audit]")}`;

const LEVELS = `# How strict it is, the params say: levels build on each other.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: hardened-pods
spec:
  paramKind:
    apiVersion: v1
    kind: ConfigMap
${matching("", "pods")}
  variables:
    - name: level
      expression: int(params.data.enforceLevel)
  validations:
    - expression: "!object.spec.?hostNetwork.orValue(false)"
      message: "level 0: the host's network is not for pods"
    - expression: |-
        variables.level < 1 ||
        object.spec.?securityContext.?runAsNonRoot.orValue(false)
      message: "level 1: pods do not run as root"
    - expression: |-
        variables.level < 2 ||
        object.spec.containers.all(c, c.?securityContext.?readOnlyRootFilesystem.orValue(false))
      message: "level 2: file systems are read-only"
  auditAnnotations:
    - key: level
      valueExpression: "'enforced at level ' + string(variables.level)"
${binding(
  "hardened-pods",
  `  validationActions: [Deny]
  paramRef:
    name: hardening
    namespace: policies
    parameterNotFoundAction: Deny`,
)}---
apiVersion: v1
kind: ConfigMap
metadata:
  name: hardening
  namespace: policies
data:
  enforceLevel: "1"
`;

const GUARDED = `# Whoever may not approve may not change who approved.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: approvals
spec:
${matching("", "configmaps")}
  matchConditions:
    - name: approval-changes
      expression: object.data.?approvedBy != oldObject.?data.approvedBy
  validations:
    - expression: authorizer.requestResource.check('approve').allowed()
      messageExpression: "request.userInfo.username + ' may not approve'"
      reason: Forbidden
${binding("approvals")}---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: approver
  namespace: shop
rules:
  - apiGroups: [""]
    resources: [configmaps]
    verbs: [approve]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: approver
  namespace: shop
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: approver }
subjects:
  - { apiGroup: rbac.authorization.k8s.io, kind: User, name: kate }
`;

const release = (by: string): string => `apiVersion: v1
kind: ConfigMap
metadata:
  name: release
  namespace: shop
data:
  version: "42"
  approvedBy: ${by}
`;

export const VALIDATING: readonly Example[] = [
  example(
    GROUP,
    "trusted-images",
    "Trusted images",
    "Images must come from the registry in params, and need memory limits",
    FIRST_WORK,
  ),
  example(GROUP, "replicas", "A single expression", "A policy without params: at most 99 replicas", {
    mode: "validating",
    policy: REPLICAS,
    object: deployment(100),
  }),
  example(GROUP, "banned-words", "Shared parameters", "A custom resource with banned words, for several policies", {
    mode: "validating",
    policy: BANNED,
    object: pod("  containers:\n    - name: glitter\n      image: registry.example.com/web:3.1\n"),
  }),
  example(GROUP, "least-privilege", "Least privilege", "Reserved labels, unless a namespace allows them", {
    mode: "validating",
    policy: LABELS,
    object: pod(
      "  containers:\n    - name: web\n      image: registry.example.com/web:3.1\n",
      "  labels: { team: checkout, tier: gold }\n",
    ),
  }),
  example(
    GROUP,
    "version-skew",
    "Fields of newer versions",
    "All kinds of containers, even in versions that lack one; only warns",
    {
      mode: "validating",
      policy: EPHEMERAL,
      object: pod("  containers:\n    - name: web\n      image: registry.example.com/web:3.1\n"),
    },
  ),
  example(GROUP, "levels", "Fine-grained enforcement", "Stricter at each level, with audit annotations", {
    mode: "validating",
    policy: LEVELS,
    object: pod("  containers:\n    - name: web\n      image: registry.example.com/web:3.1\n"),
  }),
  example(GROUP, "authorizer", "Secondary authorization", "RBAC decides who may change a field", {
    mode: "validating",
    policy: GUARDED,
    object: release("ann"),
    oldObject: release("kate"),
    request: { user: "ann", groups: ["system:authenticated"] },
  }),
];
