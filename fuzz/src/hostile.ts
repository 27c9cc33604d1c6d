// Data that no JSON parser makes but a host might pass: it has a defined answer, or an error, but never a crash, and both forms answer
// alike. Everything here answers the same when read twice or in another way; a proxy whose traps contradict each other has no right answer.

import { Double, Uint } from "@celadon/cel";
import type { Random } from "./random.ts";

type Make = (random: Random, depth: number) => unknown;

// biome-ignore format: one kind per line
const KINDS: readonly Make[] = [
  () => undefined,
  () => null,
  () => -0,
  () => Number.NaN,
  () => 2 ** 53,
  () => 2n ** 63n - 1n,
  () => 2n ** 70n,
  () => new Double(1),
  () => new Uint(2n ** 64n - 1n),
  () => "\ud800lone",
  () => "x".repeat(10_000),
  () => Symbol("s"),
  () => () => 1,
  () => new Date(0),
  () => new Map([["a", 1]]),
  () => new Set([1]),
  () => /a/,
  () => new Error("e"),
  () => Object.create(null),
  () => Object.create({ inherited: 1 }),
  () => JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1, "toString": "s"}'),
  () => new (class Point { x = 1; get y() { return 2; } })(),
  () => ({ get s() { throw new Error("getter"); } }),
  () => ({ get s() { return "computed"; } }),
  () => new Proxy({ s: 1, a: [1] }, { get: (target, key, self) => Reflect.get(target, key, self) }),
  () => new Proxy({}, { get() { throw new Error("trap"); }, getOwnPropertyDescriptor() { throw new Error("trap"); }, ownKeys() { throw new Error("trap"); } }),
  () => Object.assign(new Array(3), { 0: 1, extra: 1 }),
  () => new Array(100),
  () => cycle({}),
  () => cycle([]),
  () => deep(5000),
  () => new Float64Array(3),
  () => new ArrayBuffer(3),
  () => Object.freeze({ a: Object.freeze([1]) }),
  (random, depth) => Array.from({ length: random.below(5) }, () => value(random, depth + 1)),
  (random, depth) => Object.fromEntries(NAMES.slice(random.below(NAMES.length)).map((name) => [name, value(random, depth + 1)])),
];

/** The names in the corpus, so that its expressions meet this data. */
const NAMES = [
  "a",
  "s",
  "l",
  "m",
  "e",
  "i",
  "f",
  "b",
  "n",
  "k",
  "list",
  "spec",
  "containers",
  "name",
  "labels",
  "missing",
];

/** Values for the variables, some of them hostile. */
export function hostileData(random: Random): Record<string, unknown> {
  const object = Object.fromEntries(NAMES.map((name) => [name, value(random, 0)]));
  return { object: random.oneIn(4) ? value(random, 0) : object, oldObject: value(random, 0), params: object };
}

function value(random: Random, depth: number): unknown {
  const make = random.pick(depth > 3 ? KINDS.slice(0, -2) : KINDS);
  return make(random, depth);
}

function cycle<T extends object>(of: T): T {
  return Object.assign(of, Array.isArray(of) ? [of, 1] : { s: of, a: [of] });
}

function deep(levels: number): unknown {
  let nested: unknown = 1;
  for (let i = 0; i < levels; i++) nested = [nested];
  return nested;
}
