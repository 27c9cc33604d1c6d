// The engine at work on one Deployment. Values, types and costs; a mistake the checker finds; an error
// while evaluating; a budget; and how long it takes.

import { readFileSync } from "node:fs";
import { createEnv, DYN, formatType, INT, mapOf, STRING } from "@celadon/cel";

const object = JSON.parse(readFileSync(new URL("engine-data/deployment.json", import.meta.url), "utf8"));
const params = { maxReplicas: 5, registry: "registry.example.com/" };

const env = createEnv({
  variables: { object: DYN, params: DYN, limits: mapOf(STRING, INT) },
});
const variables = { object, params, limits: { payments: 12 } };

heading(`${object.kind} ${object.metadata.namespace}/${object.metadata.name}`);
for (const text of [
  `object.spec.replicas <= params.maxReplicas`,
  `object.spec.replicas <= limits[object.metadata.namespace]`,
  `object.spec.template.spec.containers.all(c, c.image.startsWith(params.registry))`,
  `object.spec.template.spec.containers.filter(c, !has(c.resources.limits)).map(c, c.name)`,
  `object.metadata.labels.exists(key, key.startsWith("example.com/"))`,
  String.raw`object.spec.template.spec.containers.all(c, c.image.matches("^[a-z0-9./-]+:[0-9]+(\\.[0-9]+)*$"))`,
  `timestamp(object.metadata.creationTimestamp) + duration("720h") > timestamp("2026-04-01T00:00:00Z")`,
  `"replicas " + string(object.spec.replicas) + " > " + string(params.maxReplicas)`,
  `9223372036854775807 - limits.payments`,
]) {
  show(text, env.program(text));
}

heading("A mistake, found before anything is evaluated");
const compilation = env.compile(`limits.payments > "5" || object.spec.replicsa < max`);
if (compilation.ok) throw new Error("this expression must not compile");
console.log(compilation.toString());

heading("Errors are values: `false && error` is false in either order");
show(`object.spec.paused`, env.program(`object.spec.paused`));
show(
  `object.spec.paused && object.spec.replicas > 100`,
  env.program(`object.spec.paused && object.spec.replicas > 100`),
);

heading("A budget stops what costs too much");
const squared = env.program(`[1, 2, 3, 4, 5, 6, 7, 8].map(x, [1, 2, 3, 4, 5, 6, 7, 8].map(y, x * y))`);
print(squared.evaluate(variables, { costLimit: 100 }), squared.type);

heading("Speed");
const check = env.program(`object.spec.template.spec.containers.all(c, has(c.resources.limits))`);
const evaluations = 200_000;
for (let i = 0; i < evaluations; i++) check.evaluate(variables);
const started = process.cpuUsage();
for (let i = 0; i < evaluations; i++) check.evaluate(variables);
const { user, system } = process.cpuUsage(started);
console.log(
  `${Math.round(((user + system) * 1000) / evaluations)} ns per evaluation of a check on ${object.spec.template.spec.containers.length} containers, cost counted`,
);
console.log("\n`npm run bench` compares that with other engines and with hand-written JavaScript.");

function heading(text) {
  console.log(`\n${text}\n${"─".repeat(text.length)}`);
}

function show(text, program) {
  console.log(text);
  print(program.evaluate(variables), program.type);
}

function print({ value, error, cost }, type) {
  const answer = error === undefined ? literal(value) : `error: ${error.message}`;
  console.log(`  → ${answer}   (${formatType(type)}, cost ${cost})`);
}

function literal(value) {
  return typeof value === "bigint" ? `${value}` : JSON.stringify(value);
}
