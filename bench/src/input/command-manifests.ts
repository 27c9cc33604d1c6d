// Manifests and policies on a disk, for measuring the command: one object per file, as repositories have them, and policies of the kinds
// people write. The same numbers give the same files.

import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

export interface Amount {
  readonly objects: number;
  readonly policies: number;
}

/** Every 50th object breaks one policy, so that the report is not empty. */
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

/**
 * A dump of a cluster, as `kubectl get -o yaml` writes it, in `dump.yaml`; policies in `old` and `new`; one in `everyNth` has another
 * message in `new`, and allows a second registry: every 50th object is then allowed.
 */
export function writeDump(folder: string, { objects, policies }: Amount, everyNth: number): void {
  for (const name of ["old", "new"]) mkdirSync(join(folder, name), { recursive: true });
  for (let i = 0; i < policies; i++) {
    writeFileSync(join(folder, "old", `policy-${i}.yaml`), policyText(i));
    writeFileSync(join(folder, "new", `policy-${i}.yaml`), i % everyNth === 2 % everyNth ? changed(i) : policyText(i));
  }
  const dump = openSync(join(folder, "dump.yaml"), "w");
  writeSync(dump, "apiVersion: v1\nitems:\n");
  for (let i = 0; i < objects; i++) writeSync(dump, itemText(i));
  writeSync(dump, 'kind: List\nmetadata:\n  resourceVersion: ""\n');
  closeSync(dump);
}

/** The size of the objects of a stream: settings of a kilobyte, or next to nothing. */
export type StreamShape = "1 kB" | "120 bytes";

/** A stream of ConfigMaps of so many characters in `stream.yaml`, and a policy about them in `policy.yaml`. */
export function writeStream(folder: string, shape: StreamShape, characters: number): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "policy.yaml"),
    policyText(7).replace('["apps"]', '[""]').replace("deployments", "configmaps"),
  );
  const stream = openSync(join(folder, "stream.yaml"), "w");
  for (let written = 0, i = 0; written < characters; ) {
    let texts = "";
    for (; texts.length < 1_000_000 && written + texts.length < characters; i++) texts += configMapText(i, shape);
    writeSync(stream, texts);
    written += texts.length;
  }
  closeSync(stream);
}

function configMapText(i: number, shape: StreamShape): string {
  const name = `config-${String(i).padStart(7, "0")}`;
  const more = shape === "1 kB" ? `  text: "${"a setting with a text that is long; ".repeat(24)}"\n` : "";
  return `---
apiVersion: v1
kind: ConfigMap
metadata:
  name: ${name}
  namespace: team-${i % 20}
data:
  index: "${i}"
${more}`;
}

function changed(i: number): string {
  const registry = "c.image.startsWith('registry.example.com/')";
  return policyText(i)
    .replace("is not met", "is not met any more")
    .replace(registry, `${registry} || c.image.startsWith('docker.io/')`);
}

/** With the fields that a server adds to an object. */
function itemText(i: number): string {
  const [head, spec] = deploymentText(i).split("\nspec:\n") as [string, string];
  const managed = `  creationTimestamp: "2026-01-02T03:04:05Z"
  generation: ${(i % 7) + 1}
  resourceVersion: "${100_000 + i}"
  uid: 705ab4f5-6393-11e8-b7cc-${String(i).padStart(12, "0")}`;
  const status = `status:
  availableReplicas: 1
  conditions:
    - lastTransitionTime: "2026-01-02T03:04:05Z"
      message: Deployment has minimum availability.
      reason: MinimumReplicasAvailable
      status: "True"
      type: Available
  observedGeneration: ${(i % 7) + 1}
  readyReplicas: 1
`;
  const lines = `${head}\n${managed}\nspec:\n${spec}${status}`.trimEnd().split("\n");
  return `${lines.map((line, n) => (n === 0 ? `- ${line}` : `  ${line}`)).join("\n")}\n`;
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
