// npm run bench -- types [--quick]: an ordinary pod through its Go type and defaults, beside reading its YAML. Passing through may cost
// a fifth of the reading.

import { parseArgs } from "node:util";
import { receive } from "@celadon/kube/defaults";
import { readDocuments } from "@celadon/kube/read";
import { type DecodeKind, decode } from "@celadon/kube/types";
import { cpuMs, FULL, median, nanosPerCall, QUICK } from "./measure.ts";

const { values } = parseArgs({ options: { quick: { type: "boolean", default: false } } });
const effort = values.quick ? QUICK : FULL;

const POD = `apiVersion: v1
kind: Pod
metadata:
  name: web-7d4b9c6f5-x2x9k
  namespace: shop
  labels:
    app: web
    tier: frontend
    pod-template-hash: 7d4b9c6f5
  annotations:
    prometheus.io/scrape: "true"
    prometheus.io/port: "9090"
spec:
  serviceAccountName: web
  automountServiceAccountToken: false
  securityContext:
    runAsNonRoot: true
    seccompProfile:
      type: RuntimeDefault
  containers:
    - name: web
      image: registry.example.com/shop/web:1.27.3
      ports:
        - name: http
          containerPort: 8080
        - name: metrics
          containerPort: 9090
      env:
        - name: LOG_LEVEL
          value: info
        - name: POD_NAME
          valueFrom:
            fieldRef:
              fieldPath: metadata.name
      resources:
        requests: {cpu: 100m, memory: 128Mi}
        limits: {cpu: 500m, memory: 256Mi}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      livenessProbe:
        httpGet: {path: /healthz, port: http}
        initialDelaySeconds: 5
        periodSeconds: 10
      readinessProbe:
        httpGet: {path: /ready, port: http}
      volumeMounts:
        - name: config
          mountPath: /etc/web
          readOnly: true
        - name: tmp
          mountPath: /tmp
    - name: sidecar
      image: envoyproxy/envoy:v1.30.1
      args: ["-c", "/etc/envoy/envoy.yaml"]
      resources:
        requests: {cpu: 50m, memory: 64Mi}
  volumes:
    - name: config
      configMap:
        name: web-config
    - name: tmp
      emptyDir: {}
  tolerations:
    - key: dedicated
      operator: Equal
      value: shop
      effect: NoSchedule
`;

const read = (): DecodeKind => readDocuments(POD).documents[0]!.value as DecodeKind;
const pods = Array.from({ length: 200 }, read);
const { object, strict, error } = decode(pods[0]!, pods[0])!;
if (object === undefined || strict.length > 0 || error !== undefined) throw new Error("the pod is not decoded");

const micros = (work: (pod: DecodeKind) => unknown): number => {
  const rounds = (n: number): number => {
    let count = 0;
    for (let i = 0; i < n; i++) for (const pod of pods) if (work(pod)) count++;
    return count;
  };
  return median(nanosPerCall(rounds, pods.length, effort)) / 1000;
};

console.log(`node ${process.version}; CPU time, garbage collection included\n`);
const reading = micros(read);
row("read the YAML of a pod", reading);
row(
  "through its type",
  micros((pod) => decode(pod, pod, { unordered: true })),
  0.2,
);
row(
  "through its type, fields in order",
  micros((pod) => decode(pod, pod)),
);
row(
  "as a server receives it, with defaults",
  micros((pod) => receive(pod, pod)),
);
row("read the table, first pod", cpuMs(() => decode({ apiVersion: "apps/v1", kind: "Deployment" }, {})) * 1000);

function row(title: string, amount: number, goal?: number): void {
  const share = amount / reading;
  const verdict = goal === undefined ? "" : `  goal ${goal}: ${share <= goal ? "reached" : "missed"}`;
  console.log(`${title.padEnd(44)} ${amount.toFixed(1).padStart(8)} µs  ${share.toFixed(2)}×${verdict}`);
}
