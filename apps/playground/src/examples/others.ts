// Mutating policies, rules of definitions, match conditions, certificate policies, and CEL by itself.

import { type Example, example } from "./example.ts";

const POD = `apiVersion: v1
kind: Pod
metadata:
  name: web
  namespace: shop
  labels: { app: web }
spec:
  containers:
    - name: web
      image: registry.example.com/web:3.1
`;

const PROXY = `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata:
  name: proxy
spec:
  matchConstraints:
    resourceRules:
      - apiGroups: [""]
        apiVersions: ["v1"]
        operations: ["CREATE"]
        resources: ["pods"]
  matchConditions:
    - name: no-proxy
      expression: "!object.spec.containers.exists(c, c.name == 'proxy')"
  reinvocationPolicy: IfNeeded
  mutations:
    - patchType: ApplyConfiguration
      applyConfiguration:
        expression: |-
          Object{
            spec: Object.spec{
              containers: [
                Object.spec.containers{
                  name: "proxy",
                  image: "registry.example.com/proxy:1.9"
                }
              ]
            }
          }
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata:
  name: proxy
spec:
  policyName: proxy
`;

const DEFAULTS = `# Labels that are missing are added, those that are there stay.
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata:
  name: default-labels
spec:
  matchConstraints:
    resourceRules:
      - apiGroups: [""]
        apiVersions: ["v1"]
        operations: ["CREATE"]
        resources: ["pods"]
  reinvocationPolicy: Never
  mutations:
    - patchType: JSONPatch
      jsonPatch:
        expression: |-
          has(object.metadata.labels) ?
          [
            JSONPatch{
              op: "add",
              path: "/metadata/labels/" + jsonpatch.escapeKey("example.com/created-by"),
              value: request.userInfo.username
            }
          ] :
          [
            JSONPatch{
              op: "add",
              path: "/metadata/labels",
              value: {"example.com/created-by": request.userInfo.username}
            }
          ]
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata:
  name: default-labels
spec:
  policyName: default-labels
`;

export const crd = (plural: string, kind: string, schema: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${plural}.example.com
spec:
  group: example.com
  scope: Namespaced
  names: { plural: ${plural}, singular: ${kind.toLowerCase()}, kind: ${kind}, listKind: ${kind}List }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          required: [spec]
          properties:
            spec:
${schema}`;

const QUEUE = crd(
  "queues",
  "Queue",
  `              type: object
              required: [partitions]
              x-kubernetes-validations:
                - rule: self.replicas <= self.partitions
                  message: more replicas than partitions would idle
                  fieldPath: .replicas
              properties:
                partitions:
                  type: integer
                  minimum: 1
                  x-kubernetes-validations:
                    - rule: self >= oldSelf
                      message: partitions cannot be taken away
                replicas:
                  type: integer
                  default: 1
                storageClass:
                  type: string
                  maxLength: 63
                  x-kubernetes-validations:
                    - rule: self == oldSelf
                      messageExpression: "'the storage class stays ' + oldSelf"
`,
);

const queue = (partitions: number, replicas: number): string => `apiVersion: example.com/v1
kind: Queue
metadata:
  name: orders
  namespace: shop
spec:
  partitions: ${partitions}
  replicas: ${replicas}
  storageClass: fast
`;

const PIPELINE = crd(
  "pipelines",
  "Pipeline",
  `              type: object
              x-kubernetes-validations:
                - rule: has(self.tasks) && size(self.tasks) > 0 || has(self.finally) && size(self.finally) > 0
                  message: either tasks or finally must have something in it
                - rule: |-
                    !has(self.tasks) || self.tasks.all(t,
                      !has(t.after) || t.after.all(a, self.tasks.exists(o, o.name == a))
                    )
                  message: tasks run after tasks of the same pipeline
              properties:
                tasks:
                  type: array
                  maxItems: 20
                  items: &task
                    type: object
                    required: [name]
                    properties:
                      name: { type: string, maxLength: 63 }
                      after:
                        type: array
                        maxItems: 10
                        items: { type: string, maxLength: 63 }
                finally:
                  type: array
                  maxItems: 20
                  items: *task
`,
);

const TOO_COSTLY = crd(
  "teams",
  "Team",
  `              type: object
              properties:
                members:
                  type: array
                  x-kubernetes-validations:
                    - rule: self.all(a, self.exists_one(b, a == b))
                      message: members are listed once
                  items:
                    type: string
`,
);

const webhook = (name: string, rule: string, conditions: string): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: ${name}
webhooks:
  - name: ${name}.example.com
    clientConfig:
      service: { name: ${name}, namespace: security, path: /verify }
    rules:
      - ${rule}
    matchConditions:
${conditions}
    sideEffects: None
    admissionReviewVersions: ["v1"]
`;

const LEASE = `apiVersion: coordination.k8s.io/v1
kind: Lease
metadata:
  name: leader
  namespace: kube-system
spec:
  holderIdentity: controller-1
`;

const NFS = POD.replace(
  "spec:\n",
  `spec:
  volumes:
    - name: data
      nfs: { server: files.example.com, path: /data }
`,
);

const policyUse = (policy: string, user: string): string => `---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: use-${policy}
rules:
  - apiGroups: [policy.cert-manager.io]
    resources: [certificaterequestpolicies]
    resourceNames: [${policy}]
    verbs: [use]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: use-${policy}
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: use-${policy} }
subjects:
  - { apiGroup: rbac.authorization.k8s.io, kind: User, name: ${user} }
`;

const DOMAIN = `# Tenants get certificates for names in their own namespace.
apiVersion: policy.cert-manager.io/v1alpha1
kind: CertificateRequestPolicy
metadata:
  name: own-domain
spec:
  selector:
    issuerRef: {}
  allowed:
    commonName:
      value: "*"
    subject:
      organizations: { values: ["*"] }
    dnsNames:
      values: ["*"]
      validations:
        - rule: self.endsWith('.' + cr.namespace + '.svc')
          message: only names of services of this namespace are allowed
${policyUse("own-domain", "kate")}`;

const SPIFFE = `# The URI of a workload names its namespace and service account.
apiVersion: policy.cert-manager.io/v1alpha1
kind: CertificateRequestPolicy
metadata:
  name: spiffe
spec:
  selector:
    issuerRef: { name: mesh-ca, kind: ClusterIssuer }
  allowed:
    uris:
      required: true
      values: ["*"]
      validations:
        - rule: self.startsWith('spiffe://example.org/ns/' + cr.namespace + '/sa/')
          message: the SPIFFE ID must be of this namespace
${policyUse("spiffe", "kate")}`;

const CSR = `-----BEGIN CERTIFICATE REQUEST-----
MIIBGjCBwAIBADAmMRUwEwYDVQQDDAx3ZWIuc2hvcC5zdmMxDTALBgNVBAoMBFNo
b3AwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAS63lNN3qla9psRbxavePeIDug/
ctVMKhRKEKcm9zlAyB5IZTNjlsox/w2kmGofDAk0on7UkKsyVSsbBMPh5FN4oDgw
NgYJKoZIhvcNAQkOMSkwJzAlBgNVHREEHjAcggx3ZWIuc2hvcC5zdmOCDHdlYi5i
YW5rLnN2YzAKBggqhkjOPQQDAgNJADBGAiEA8Ne3Y+UcOtL6zDcWFRfcH7nbcpV/
DJWH8WlcCVDyogwCIQC4vIcigBYK8HTYyZkWY6gYM/DC++DUr8UJ9/anD+mzzg==
-----END CERTIFICATE REQUEST-----
`;

const SPIFFE_REQUEST = `apiVersion: cert-manager.io/v1
kind: CertificateRequest
metadata:
  name: web
  namespace: shop
spec:
  request: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIOE1JR2pBZ0VBTUFBd1dUQVRCZ2NxaGtqT1BRSUJCZ2dxaGtqT1BRTUJCd05DQUFSbHo3UEVwUWQvbXkyMgp3TnZtUG55Yzdpd1ZKZ2k1K1VTOW1XLzUxWG9GN0l0NVQwQVhXalA5TmIramhzcFpUOE5selpjZWpUbnV1NDlwCndjUWRSU2Z0b0VFd1B3WUpLb1pJaHZjTkFRa09NVEl3TURBdUJnTlZIUkVFSnpBbGhpTnpjR2xtWm1VNkx5OWwKZUdGdGNHeGxMbTl5Wnk5dWN5OXphRzl3TDNOaEwzZGxZakFLQmdncWhrak9QUVFEQWdOSUFEQkZBaUJCTUFMVwp1TDFNb1NLb0s0d3pReUgrREhGbkgrMGg2bVZpamI2QlN5amo2QUloQU1ZcldKVXhPeWw5MEhQNkJEME9PT3NZCmhYcitqSnJ2dHdTZzFXbU1CRUl5Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=
  issuerRef: { name: mesh-ca, kind: ClusterIssuer, group: cert-manager.io }
`;

const KATE = { user: "kate", groups: ["system:authenticated"], namespace: "shop" } as const;

// biome-ignore format: one example after the other
export const OTHERS: readonly Example[] = [
  example("Mutating policies", "proxy", "A proxy in every pod", "An apply configuration, merged by container name", {
    mode: "mutating", policy: PROXY, object: POD,
  }),
  example("Mutating policies", "created-by", "Who created it", "A JSON patch that writes a label", {
    mode: "mutating", policy: DEFAULTS, object: POD.replace("  labels: { app: web }\n", ""), request: { user: "ann" },
  }),
  example("Rules of custom resources", "queues", "Old and new values", "A queue that grows but does not shrink", {
    mode: "crd", policy: QUEUE, object: queue(4, 5), oldObject: queue(8, 1),
  }),
  example("Rules of custom resources", "pipelines", "Referential integrity", "Tasks that run after tasks that exist", {
    mode: "crd",
    policy: PIPELINE,
    object: "apiVersion: example.com/v1\nkind: Pipeline\nmetadata:\n  name: build\n  namespace: shop\nspec:\n  tasks:\n    - name: compile\n    - name: test\n      after: [compille]\n",
  }),
  example("Rules of custom resources", "too-costly", "Too costly", "A rule that API servers reject, and a bound that fixes it", {
    mode: "crd",
    policy: TOO_COSTLY,
    object: "apiVersion: example.com/v1\nkind: Team\nmetadata:\n  name: shop\n  namespace: shop\nspec:\n  members: [ann, kate]\n",
  }),
  example("Match conditions of webhooks", "leases", "Not for leases", "A wildcard rule that skips frequently written objects", {
    mode: "conditions",
    policy: webhook("metadata-policy", '{ apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], operations: ["CREATE", "UPDATE"] }', '      - name: not-for-leases\n        expression: |-\n          !(request.resource.group == "coordination.k8s.io" &&\n            request.resource.resource == "leases")'),
    object: LEASE,
  }),
  example("Match conditions of webhooks", "nodes", "Not for nodes", "System users are exempt", {
    mode: "conditions",
    policy: webhook("pod-policy", '{ apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], operations: ["CREATE", "UPDATE"] }', "      - name: not-for-nodes\n        expression: \"!('system:nodes' in request.userInfo.groups)\""),
    object: POD,
    request: { user: "system:node:a", groups: ["system:nodes"] },
  }),
  example("Match conditions of webhooks", "nfs", "Only pods that mount NFS", "The webhook is called for pods with an NFS volume", {
    mode: "conditions",
    policy: webhook("nfs-access", '{ apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], operations: ["CREATE"] }', "      - name: mounts-nfs\n        expression: object.spec.?volumes.orValue([]).exists(v, has(v.nfs))"),
    object: NFS,
  }),
  example("Certificates", "own-domain", "Names in the tenant's namespace", "A signing request in PEM, decoded, with one name too many", {
    mode: "certificates", policy: DOMAIN, object: CSR, request: KATE,
  }),
  example("Certificates", "spiffe", "SPIFFE IDs", "A workload's URI names its namespace", {
    mode: "certificates", policy: SPIFFE, object: SPIFFE_REQUEST, request: KATE,
  }),
  example("CEL", "containers", "One expression", "Quantities, lists and optional fields", {
    mode: "cel",
    policy: "object.spec.containers.all(c,\n  quantity(c.resources.?limits.memory.orValue('0'))\n    .isLessThan(quantity('512Mi'))\n)\n",
    object: POD.replace("image: registry.example.com/web:3.1\n", "image: registry.example.com/web:3.1\n      resources:\n        limits: { memory: 1Gi }\n"),
  }),
];
