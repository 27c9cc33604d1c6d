// Data that no JSON parser makes but a host might pass. Everything here answers the same when it is read twice; a proxy whose traps
// contradict each other has no right answer.

import { Double, Uint } from "../value/value.ts";

class Point {
  x = 1;
  #secret = 2;
  get a(): number {
    return this.#secret;
  }
  b(): string {
    return "a method";
  }
  static readonly c = 1;
}

class Child extends Point {
  override readonly x = 3;
  items: number[] = [1];
}

const throwing = {
  get a(): never {
    throw new Error("getter");
  },
  b: 1,
};
const throws = (): never => {
  throw new Error("trap");
};

// biome-ignore format: one kind per line
export const HOSTILE: Readonly<Record<string, () => unknown>> = {
  "own __proto__":               () => JSON.parse('{"__proto__": {"a": 1, "polluted": true}, "constructor": 1, "toString": "s", "hasOwnProperty": {"a": 1}}'),
  "no prototype":                () => Object.assign(Object.create(null), { a: 1, constructor: 2 }),
  "inherited property":          () => Object.create({ a: 1, b: { a: 1 } }),
  "prototype replaced":          () => Object.setPrototypeOf({ b: 1 }, { a: 1 }),
  "class instance":              () => new Point(),
  "subclass instance":           () => new Child(),
  "class":                       () => Point,
  "getter":                      () => ({ get a() { return { b: 1 }; } }),
  "throwing getter":             () => throwing,
  "inherited throwing getter":   () => Object.create(throwing),
  "not enumerable":              () => Object.defineProperty({ b: 1 }, "a", { value: 1, enumerable: false }),
  "symbol key":                  () => ({ [Symbol("a")]: 1, b: 1 }),
  "proxy":                       () => new Proxy({ a: 1, items: [1] }, {}),
  "proxy of a list":             () => new Proxy([1, 2], {}),
  "frozen":                      () => Object.freeze({ a: Object.freeze([1]), items: Object.freeze({ a: 1 }) }),
  "undefined entry":             () => ({ a: undefined, b: 1 }),
  "function entry":              () => ({ a: () => 1, b: function named() {} }),
  "symbol entry":                () => ({ a: Symbol("s") }),
  "NaN and -0":                  () => ({ a: Number.NaN, b: -0, items: [Number.NaN, -0] }),
  "sparse list":                 () => Object.assign(new Array(3), { 1: "x" }),
  "list with a property":        () => Object.assign([1, 2], { a: 1, b: [1] }),
  "list of undefined":           () => [undefined, null, 1],
  "subclassed list":             () => new (class Items extends Array<number> { get a() { return 1; } })(1, 2, 3),
  "Map":                         () => new Map([["a", 1]]),
  "Set":                         () => new Set([1]),
  "Date":                        () => new Date(1000),
  "invalid Date":                () => new Date(Number.NaN),
  "RegExp":                      () => /a/,
  "Error":                       () => new Error("e"),
  "Promise":                     () => Promise.resolve(1),
  "Float64Array":                () => new Float64Array([1, 2]),
  "Uint8Array":                  () => Object.assign(new Uint8Array([1, 2]), { a: 1 }),
  "Buffer":                      () => Buffer.from("ab"),
  "ArrayBuffer":                 () => new ArrayBuffer(2),
  "boxed string":                () => new String("abc"),
  "boxed number":                () => new Number(1),
  "function":                    () => () => 1,
  "symbol":                      () => Symbol("s"),
  "undefined":                   () => undefined,
  "null":                        () => null,
  "NaN":                         () => Number.NaN,
  "-0":                          () => -0,
  "Infinity":                    () => Number.POSITIVE_INFINITY,
  "2^53":                        () => 2 ** 53,
  "bigint beyond int64":         () => 2n ** 70n,
  "small bigint":                () => 5n,
  "negative uint":               () => new Uint(-1),
  "uint beyond uint64":          () => new Uint(2n ** 65n),
  "double of a double":          () => new Double(1.5),
  "lone surrogate":              () => ({ a: "\ud800", "\udc00": 1 }),
  "empty key":                   () => ({ "": 1, a: { "": 2 } }),
  "index keys":                  () => ({ 0: "zero", 1: "one", a: { 0: 1 } }),
  "cyclic object":               () => { const o: Record<string, unknown> = { b: 1 }; o.a = o; return o; },
  "cyclic list":                 () => { const l: unknown[] = [1]; l.push(l); return l; },
  "deep list":                   () => nested(5000, (inner) => [inner]),
  "deep object":                 () => nested(5000, (inner) => ({ a: inner })),
  "wide object":                 () => Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`k${i}`, i])),
};

/** Objects that throw on every operation, `instanceof` included: which error comes first depends on which part reads them first. */
// biome-ignore format: one kind per line
export const UNANSWERING: Readonly<Record<string, () => unknown>> = {
  "throwing proxy":              () => new Proxy({}, { get: throws, has: throws, ownKeys: throws, getOwnPropertyDescriptor: throws, getPrototypeOf: throws }),
  "revoked proxy":               () => { const { proxy, revoke } = Proxy.revocable({ a: 1 }, {}); revoke(); return proxy; },
};

function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = wrap(value);
  return value;
}
