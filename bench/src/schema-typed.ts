// npm run bench -- schema [--quick] One custom resource with and without its schema: what types, list types and formats cost at evaluation,
// in time and in bytes of heap. Schema-typed data must be no slower than plain JSON, except where the schema demands more: a set compared
// as one, a date parsed.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { DYN, type Program } from "@celadon/cel";
import { kubeEnv } from "@celadon/kube-cel";
import { createSchemaProvider, declareType, type Schema } from "@celadon/kube-cel/schema";
import { FULL, median, nanosPerCall, QUICK } from "./measure.ts";

const text: Schema = { type: "string" };
const port: Schema = { type: "object", properties: { containerPort: { type: "integer" }, protocol: text } };
const quantities: Schema = { type: "object", additionalProperties: { "x-kubernetes-int-or-string": true } };
const container: Schema = {
  type: "object",
  properties: {
    name: text,
    image: text,
    ports: { type: "array", items: port },
    resources: { type: "object", properties: { limits: quantities } },
  },
};
const podSpec: Schema = {
  type: "object",
  properties: {
    containers: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: container,
    },
    nodeSelector: { type: "object", additionalProperties: text },
    zones: { type: "array", "x-kubernetes-list-type": "set", items: text },
  },
};
const spec: Schema = {
  type: "object",
  properties: {
    replicas: { type: "integer" },
    minReplicas: { type: "integer" },
    paused: { type: "boolean" },
    mode: text,
    since: { type: "string", format: "date-time" },
    ratio: { type: "number" },
    maxSurge: { "x-kubernetes-int-or-string": true },
    strategy: text,
    template: { type: "object", properties: { spec: podSpec } },
  },
};
const schema: Schema = { type: "object", properties: { spec } };

const self = {
  apiVersion: "example.com/v1",
  kind: "Workload",
  metadata: { name: "web" },
  spec: {
    replicas: 3,
    minReplicas: 1,
    paused: false,
    mode: "Active",
    since: "2020-01-02T03:04:05Z",
    ratio: 0.5,
    maxSurge: "25%",
    template: {
      spec: {
        containers: Array.from({ length: 5 }, (_, i) => ({
          name: `c${i}`,
          image: `registry.example.com/app:${i}`,
          ports: [{ containerPort: 8080 + i, protocol: "TCP" }],
          resources: { limits: { cpu: "100m", memory: 5 } },
        })),
        nodeSelector: { disk: "ssd", zone: "a" },
        zones: ["a", "b"],
      },
    },
  },
};

/** Expressions that mean the same with and without the schema. */
const expressions = [
  "self.spec.replicas >= self.spec.minReplicas",
  "self.spec.mode == 'Active' && !self.spec.paused",
  "has(self.spec.template.spec.nodeSelector) && !has(self.spec.strategy)",
  "self.spec.?strategy.orValue('Rolling') == 'Rolling'",
  "self.spec.maxSurge == '25%' && self.spec.ratio > 0.1",
  "self.spec.template.spec.containers[0].name == 'c0'",
  "self.spec.template.spec.nodeSelector['disk'] == 'ssd'",
  "'disk' in self.spec.template.spec.nodeSelector && 'b' in self.spec.template.spec.zones",
  "size(self.spec.template.spec.containers) > 2",
  "self.spec.template.spec.containers.all(c, c.image.startsWith('registry.example.com/'))",
  "self.spec.template.spec.containers.exists(c, c.ports.exists(p, p.containerPort == 8084))",
  "self.spec.template.spec.containers.all(c, has(c.resources.limits.cpu))",
  "self.spec.template.spec.containers.filter(c, c.name != 'c1').all(c, c.image != '')",
  "self.spec.template.spec.nodeSelector.all(k, v, v != '')",
  "self.spec.template.spec.containers.all(c, self.spec.template.spec.containers.exists_one(d, d.name == c.name))",
  "self.spec.template == oldSelf.spec.template",
  "self.spec.template.spec.zones == oldSelf.spec.template.spec.zones",
];

const effort = process.argv.includes("--quick") ? QUICK : FULL;
const root = declareType(schema, "Workload", { resource: true });
if (root === undefined) throw new Error("the schema has no type");
const typed = kubeEnv({
  variables: { self: root.type, oldSelf: root.type },
  provider: createSchemaProvider({ Workload: root }),
});
const plain = kubeEnv({ variables: { self: DYN, oldSelf: DYN } });
const variables = { self, oldSelf: structuredClone(self) };

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

interface Row {
  readonly nanos: number;
  readonly bytes: number;
}

function measure(program: Program): Row {
  if (program.evaluate(variables).value !== true) throw new Error(`not true: ${program.ast.source.text}`);
  const rounds = (n: number): unknown => {
    let last: unknown;
    for (let i = 0; i < n; i++) last = program.evaluate(variables).value;
    return last;
  };
  const nanos = median(nanosPerCall(rounds, 1, effort));
  const evaluations = 10_000;
  collect();
  const before = process.memoryUsage().heapUsed;
  rounds(evaluations);
  return { nanos, bytes: Math.max(0, (process.memoryUsage().heapUsed - before) / evaluations) };
}

console.log("   typed    plain   ratio   heap typed/plain");
const ratios = expressions.map((expr) => {
  const mode = "compiled";
  const [a, b] = [measure(typed.program(expr, { mode })), measure(plain.program(expr, { mode }))];
  const column = (n: number): string => n.toFixed(0).padStart(6);
  console.log(
    `${column(a.nanos)}ns ${column(b.nanos)}ns  ${(a.nanos / b.nanos).toFixed(2).padStart(6)}  ${column(a.bytes)} ${column(b.bytes)}  ${expr}`,
  );
  return a.nanos / b.nanos;
});
console.log(
  `geometric mean of the ratios: ${Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length).toFixed(2)}`,
);
