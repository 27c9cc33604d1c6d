// Validating policies in a cluster that changes: versions of a kind, webhooks beside policies, and policies that are rolled out.

import { type Example, example } from "./example.ts";
import { binding, deployment, GROUP, matching, pod } from "./parts.ts";

const version = (name: string, field: string, isStored: boolean): string => `    - name: ${name}
      served: true
      storage: ${isStored}
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                ${field}: { type: string, maxLength: 20 }
`;

const VERSIONS = `# One policy reads v1 as it is written; the other reads every other version, those to come included. With matchPolicy
# Equivalent, the exclusion of v1 would also exclude v2.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: gateways-v1
spec:
  matchConstraints:
    matchPolicy: Exact
    resourceRules:
      - apiGroups: ["example.com"]
        apiVersions: ["v1"]
        operations: ["CREATE", "UPDATE"]
        resources: ["gateways"]
  validations:
    - expression: object.spec.className == 'internal'
      message: "v1: gateways are internal"
${binding("gateways-v1")}---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: gateways-v2
spec:
  matchConstraints:
    matchPolicy: Exact
    resourceRules:
      - apiGroups: ["example.com"]
        apiVersions: ["*"]
        operations: ["CREATE", "UPDATE"]
        resources: ["gateways"]
    excludeResourceRules:
      - apiGroups: ["example.com"]
        apiVersions: ["v1"]
        operations: ["CREATE", "UPDATE"]
        resources: ["gateways"]
  validations:
    - expression: object.spec.class == 'internal'
      message: "v2: gateways are internal"
${binding("gateways-v2")}---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: gateways.example.com
spec:
  group: example.com
  scope: Namespaced
  names: { plural: gateways, singular: gateway, kind: Gateway, listKind: GatewayList }
  versions:
${version("v1", "className", false)}${version("v2", "class", true)}`;

const GATEWAY = `apiVersion: example.com/v2
kind: Gateway
metadata:
  name: front
  namespace: shop
spec:
  class: external
`;

const RESERVED = `# Webhooks must leave kube-system alone: each of them excludes it by a namespace selector.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: webhooks-spare-kube-system
spec:
  matchConstraints:
    resourceRules:
      - apiGroups: ["admissionregistration.k8s.io"]
        apiVersions: ["v1"]
        operations: ["CREATE", "UPDATE"]
        resources: ["validatingwebhookconfigurations", "mutatingwebhookconfigurations"]
  validations:
    - expression: |-
        !has(object.webhooks) || object.webhooks.all(w,
          has(w.namespaceSelector.matchExpressions) &&
          w.namespaceSelector.matchExpressions.exists(e,
            e.key == 'kubernetes.io/metadata.name' &&
            e.operator == 'NotIn' && 'kube-system' in e.values
          )
        )
      message: every webhook must exclude the namespace kube-system
      reason: Forbidden
${binding("webhooks-spare-kube-system")}`;

const INTRUSIVE = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: everything
webhooks:
  - name: everything.example.com
    clientConfig:
      service: { name: everything, namespace: hooks }
    rules:
      - apiGroups: [""]
        apiVersions: ["v1"]
        operations: ["CREATE"]
        resources: ["pods"]
    namespaceSelector:
      matchExpressions:
        - { key: kubernetes.io/metadata.name, operator: NotIn, values: [hooks] }
    sideEffects: None
    admissionReviewVersions: ["v1"]
`;

const MIGRATION = `# The policy takes over from the webhook below: it warns and audits until both agree, then the binding denies.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: owners
spec:
  failurePolicy: Ignore
${matching("apps", "deployments")}
  validations:
    - expression: "'owner' in object.metadata.?labels.orValue({})"
      message: deployments need the label owner
${binding("owners", "  validationActions: [Warn, Audit]")}---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: owners
webhooks:
  - name: owners.example.com
    clientConfig:
      service: { name: owners, namespace: hooks }
    rules:
      - apiGroups: ["apps"]
        apiVersions: ["v1"]
        operations: ["CREATE", "UPDATE"]
        resources: ["deployments"]
    failurePolicy: Ignore
    sideEffects: None
    admissionReviewVersions: ["v1"]
`;

const TEMPLATES = `# Pods and what creates pods: a deployment is denied when it is written, not when its pods are.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: no-latest
spec:
  matchConstraints:
    resourceRules:
      - apiGroups: [""]
        apiVersions: ["v1"]
        operations: ["CREATE", "UPDATE"]
        resources: ["pods"]
      - apiGroups: ["apps"]
        apiVersions: ["v1"]
        operations: ["CREATE", "UPDATE"]
        resources: ["deployments", "statefulsets", "daemonsets"]
  variables:
    - name: pod
      expression: "object.kind == 'Pod' ? object.spec : object.spec.template.spec"
  validations:
    - expression: variables.pod.containers.all(c, !c.image.endsWith(':latest'))
      message: images need a version, not latest
${binding("no-latest")}`;

const ROLLOUT = `# limits is enforced. limits-next has the validation that will be added to it, and only warns.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: limits
spec:
  paramKind: { apiVersion: v1, kind: ConfigMap }
${matching("apps", "deployments")}
  validations:
    - expression: object.spec.replicas <= int(params.data.maxReplicas)
      messageExpression: "'at most ' + params.data.maxReplicas + ' replicas'"
${binding(
  "limits",
  `  validationActions: [Deny]
  paramRef: { name: limits, namespace: policies, parameterNotFoundAction: Deny }`,
)}---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: limits-next
spec:
  paramKind: { apiVersion: v1, kind: ConfigMap }
${matching("apps", "deployments")}
  validations:
    - expression: object.spec.replicas >= int(params.data.minReplicas)
      messageExpression: "'at least ' + params.data.minReplicas + ' replicas'"
${binding(
  "limits-next",
  `  validationActions: [Warn]
  paramRef: { name: limits, namespace: policies, parameterNotFoundAction: Deny }`,
)}---
apiVersion: v1
kind: ConfigMap
metadata:
  name: limits
  namespace: policies
data:
  maxReplicas: "10"
  minReplicas: "2"
`;

const CANARY = `# Denied in namespaces that try the policy out, a warning in all others.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: no-host-network
spec:
${matching("", "pods")}
  validations:
    - expression: "!object.spec.?hostNetwork.orValue(false)"
      message: the host's network is not for pods
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: no-host-network-canary
spec:
  policyName: no-host-network
  validationActions: [Deny]
  matchResources:
    namespaceSelector:
      matchLabels: { policies: canary }
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: no-host-network-others
spec:
  policyName: no-host-network
  validationActions: [Warn, Audit]
  matchResources:
    namespaceSelector:
      matchExpressions:
        - { key: policies, operator: NotIn, values: [canary] }
---
apiVersion: v1
kind: Namespace
metadata:
  name: shop
  labels: { team: shop }
`;

const POD_SECURITY = `# What Pod Security Standards leave open: user IDs, drivers of volumes, profiles of the node.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: beyond-pod-security
spec:
${matching("", "pods")}
  validations:
    - expression: object.spec.?securityContext.?runAsUser.orValue(0) >= 10000
      message: pods run as a user from 10000 on
    - expression: |-
        !has(object.spec.volumes) || object.spec.volumes.all(v,
          !has(v.csi) || v.csi.driver in ['secrets-store.csi.k8s.io']
        )
      messageExpression: |-
        'drivers that are not allowed: ' + object.spec.volumes.filter(v, has(v.csi)).map(v, v.csi.driver).join(', ')
    - expression: |-
        object.spec.?securityContext.?seccompProfile.?type.orValue('RuntimeDefault') != 'Localhost' ||
        object.spec.securityContext.seccompProfile.localhostProfile.startsWith('profiles/')
      message: seccomp profiles of the node are in profiles/
${binding("beyond-pod-security")}`;

const MOUNTED = pod(`  securityContext:
    runAsUser: 12000
  containers:
    - name: web
      image: registry.example.com/web:3.1
  volumes:
    - name: data
      csi: { driver: ebs.csi.aws.com }
`);

// biome-ignore format: one example per entry
export const ROLLOUTS: readonly Example[] = [
  example(GROUP, "versions", "Versions of a custom resource", "One policy for v1 as written, one for all other versions", {
    mode: "validating", policy: VERSIONS, object: GATEWAY,
  }),
  example(GROUP, "reserved-namespace", "A namespace without webhooks", "Webhook configurations must exclude kube-system", {
    mode: "validating", policy: RESERVED, object: INTRUSIVE,
  }),
  example(GROUP, "migration", "From a webhook to a policy", "The policy warns and audits beside the webhook that it replaces", {
    mode: "validating", policy: MIGRATION, object: deployment(3),
  }),
  example(GROUP, "pod-templates", "Pods and their templates", "Workloads are checked when they are written, not at the next rollout", {
    mode: "validating", policy: TEMPLATES, object: deployment(3).replace("web:3.1", "web:latest"),
  }),
  example(GROUP, "rollout", "A new validation", "A second policy with the same params only warns", {
    mode: "validating", policy: ROLLOUT, object: deployment(1),
  }),
  example(GROUP, "canary", "A policy for some namespaces first", "Two bindings: one denies, one warns", {
    mode: "validating", policy: CANARY,
    object: pod("  hostNetwork: true\n  containers:\n    - name: web\n      image: registry.example.com/web:3.1\n"),
  }),
  example(GROUP, "pod-security", "Beyond Pod Security", "User IDs, CSI drivers and seccomp profiles", {
    mode: "validating", policy: POD_SECURITY, object: MOUNTED,
  }),
];
