// npm run bench -- crd [--quick]: custom resources through validation, definitions through admission, and the worst that a
// definition may bring.

import { parseArgs } from "node:util";
import type { JsonObject } from "@celadon/base";
import {
  admitCreate,
  admitDefinition,
  CustomResourceType,
  type ResourceVersion,
  schemaOf,
  ValueValidator,
} from "@celadon/crd";
import {
  largeDefinition,
  plainDefinition,
  route,
  routeDefinition,
  worstObject,
  worstRule,
} from "./input/crd-definitions.ts";
import { cpuMs, FULL, median, nanosPerCall, QUICK } from "./measure.ts";

const { values } = parseArgs({ options: { quick: { type: "boolean", default: false } } });
const effort = values.quick ? QUICK : FULL;

function versionOf(definition: Record<string, unknown>): ResourceVersion {
  const admitted = admitDefinition(definition, undefined);
  if (!admitted.allowed) throw new Error(admitted.status.message);
  return new CustomResourceType(admitted.object).version("v1")!;
}

const routes = versionOf(routeDefinition);
const plain = versionOf(plainDefinition);
const objects = Array.from({ length: 10_000 }, (_, i) => route(i) as JsonObject);
const decoded = objects.map((object) => {
  const found = routes.decode(object);
  if (!("unknown" in found)) throw new Error(found.message);
  return found.object;
});
for (const object of objects.slice(0, 100)) {
  const answer = admitCreate(routes, object);
  if (!answer.allowed) throw new Error(answer.status.message);
}

console.log(`node ${process.version}; CPU time, garbage collection included\n`);

const sample = decoded.slice(0, 500);
const micros = (work: (object: JsonObject) => unknown, inputs: readonly JsonObject[]): number => {
  const rounds = (n: number): number => {
    let count = 0;
    for (let i = 0; i < n; i++) for (const object of inputs) if (work(object)) count++;
    return count;
  };
  return median(nanosPerCall(rounds, inputs.length, effort)) / 1000;
};

const validator = new ValueValidator(schemaOf(routes.type.definition, "v1")!);
const valuesAlone = micros((object) => validator.validate(object).length === 0, sample);
const withoutRules = micros((object) => plain.validateCreate(object).errors.length === 0, sample);
const withRules = micros((object) => routes.validateCreate(object).errors.length === 0, sample);
const whole = micros((object) => admitCreate(routes, object).allowed, objects.slice(0, 500));
row("values alone", valuesAlone, "µs/object");
row("validation, no rules", withoutRules, "µs/object");
row("validation, 9 rules × 33 places", withRules, "µs/object");
row("decode, default, validate", whole, "µs/object");
row(
  "10,000 objects, whole",
  cpuMs(() => objects.every((object) => admitCreate(routes, object).allowed)),
  "ms",
);

const definitions = Array.from({ length: 100 }, (_, i) => largeDefinition(i));
const compiling = cpuMs(() => definitions.every((definition) => admitDefinition(definition, undefined).allowed));
row("100 large definitions", compiling, "ms");

for (const [title, { definition, object }] of [
  ["worst rule", worstRule()],
  ["worst object", worstObject()],
] as const) {
  const version = versionOf(definition);
  const first = cpuMs(() => version.validateCreate(object as JsonObject));
  const again = median(Array.from({ length: 5 }, () => cpuMs(() => version.validateCreate(object as JsonObject))));
  const [error] = version.validateCreate(object as JsonObject).errors;
  row(`${title}, first`, first, "ms");
  row(`${title}, again`, again, `ms  ${error === undefined ? "accepted" : error.detail.slice(0, 60)}`);
}
console.log(`\nno rules beside values alone: ${(withoutRules / valuesAlone).toFixed(2)}×`);

function row(title: string, value: number, unit: string): void {
  console.log(`${title.padEnd(34)} ${value.toFixed(1).padStart(9)} ${unit}`);
}
