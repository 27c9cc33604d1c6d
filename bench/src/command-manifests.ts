// Manifests and policies on a disk, for measuring the command: one object per file, as repositories have them, and policies of the kinds
// people write. The same numbers give the same files.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Amount {
  readonly objects: number;
  readonly policies: number;
}

/** Every 50th object breaks one policy, so that there is something to report. */
export function writeManifests(folder: string, { objects, policies }: Amount): void {
  for (const name of ["objects", "policies"]) mkdirSync(join(folder, name), { recursive: true });
  for (let i = 0; i < policies; i++) {
    writeFileSync(join(folder, "policies", `policy-${i}.yaml`), policyText(i));
  }
  for (let i = 0; i < objects; i++) {
    const part = join(folder, "objects", `team-${i % 20}`);
    if (i < 20) mkdirSync(part, { recursive: true });
    writeFileSync(join(part, `workload-${i}.yaml`), deploymentText(i));
  }
}

/** Expressions of policies as they are found in public libraries: images, resources, security contexts, labels, names. */
const EXPRESSIONS = [
  "object.spec.replicas <= 50 - PADDING",
  "object.spec.template.spec.containers.all(c, has(c.resources) && has(c.resources.limits))",
  "object.spec.template.spec.containers.all(c, c.image.startsWith('registry.example.com/'))",
  "object.spec.template.spec.containers.all(c, !has(c.securityContext) || !has(c.securityContext.privileged) || !c.securityContext.privileged)",
  "has(object.metadata.labels) && 'team' in object.metadata.labels",
  "object.spec.template.spec.containers.all(c, !c.image.endsWith(':latest'))",
  "!has(object.spec.template.spec.hostNetwork) || !object.spec.template.spec.hostNetwork",
  "object.metadata.name.matches('^[a-z][a-z0-9-]{0,50}$')",
  "object.spec.template.spec.containers.all(c, quantity(c.resources.limits.memory).isLessThan(quantity('8Gi')))",
  "variables.names.all(n, n.size() < 60)",
];

function policyText(i: number): string {
  const expression = EXPRESSIONS[i % EXPRESSIONS.length]!.replace("PADDING", String(i));
  return `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: policy-${i}.example.com
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules:
      - apiGroups: ["apps"]
        apiVersions: ["v1"]
        operations: ["CREATE", "UPDATE"]
        resources: ["deployments"]
  variables:
    - name: names
      expression: object.spec.template.spec.containers.map(c, c.name)
  validations:
    - expression: ${JSON.stringify(expression)}
      message: policy ${i} is not met
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: binding-${i}.example.com
spec:
  policyName: policy-${i}.example.com
  validationActions: ["Deny"]
`;
}

function deploymentText(i: number): string {
  const image = i % 50 === 49 ? "docker.io/library/app" : "registry.example.com/shop/app";
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: workload-${i}
  namespace: team-${i % 20}
  labels:
    app.kubernetes.io/name: workload-${i}
    team: team-${i % 20}
  annotations:
    example.com/description: "workload number ${i}: one of many"
spec:
  replicas: ${(i % 3) + 1}
  selector:
    matchLabels:
      app.kubernetes.io/name: workload-${i}
  template:
    metadata:
      labels:
        app.kubernetes.io/name: workload-${i}
        team: team-${i % 20}
    spec:
      serviceAccountName: workload-${i}
      # two containers, as with a proxy beside the program
      containers:
${container("app", image, i)}${container("proxy", "registry.example.com/base/proxy", i)}      volumes:
        - name: config
          configMap:
            name: workload-${i}
`;
}

function container(name: string, image: string, i: number): string {
  return `        - name: ${name}
          image: ${image}:v1.${i}
          args: ["--listen", ":8080", "--level=info"]
          ports:
            - name: http
              containerPort: 8080
          env:
            - name: INDEX
              value: "${i}"
            - name: NAMESPACE
              valueFrom:
                fieldRef:
                  fieldPath: metadata.namespace
          resources:
            requests: { cpu: 100m, memory: 128Mi }
            limits: { cpu: "1", memory: 512Mi }
          securityContext:
            runAsNonRoot: true
            allowPrivilegeEscalation: false
          volumeMounts:
            - name: config
              mountPath: /etc/config
`;
}
