// Pieces that examples of validating policies share.

export const GROUP = "Validating policies";

export const matching = (group: string, resource: string): string => `  matchConstraints:
    resourceRules:
      - apiGroups: ["${group}"]
        apiVersions: ["v1"]
        operations: ["CREATE", "UPDATE"]
        resources: ["${resource}"]`;

export const binding = (policy: string, more = "  validationActions: [Deny]"): string => `---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: ${policy}
spec:
  policyName: ${policy}
${more}
`;

export const deployment = (replicas: number): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
spec:
  replicas: ${replicas}
  selector:
    matchLabels: { app: web }
  template:
    metadata:
      labels: { app: web }
    spec:
      containers:
        - name: web
          image: registry.example.com/web:3.1
`;

export const pod = (spec: string, labels = ""): string => `apiVersion: v1
kind: Pod
metadata:
  name: web
  namespace: shop
${labels}spec:
${spec}`;
