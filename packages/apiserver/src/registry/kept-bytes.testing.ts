// Random JSON whose bytes must survive every write, and a definition that keeps whatever it is given.

import { Double, type JsonObject } from "@celadon/base";
import fc from "fast-check";

const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const version = (name: string) => ({
  name,
  served: true,
  storage: name === "v1",
  subresources: { status: {} },
  schema: { openAPIV3Schema: { type: "object", properties: { spec: anything, status: anything } } },
});

/** Things of `example.com` in v1, which is stored, and v2. */
export const thingsDefinition = (conversion?: object): object => ({
  metadata: { name: "things.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "things", kind: "Thing" },
    versions: [version("v1"), version("v2")],
    ...(conversion !== undefined && { conversion }),
  },
});

const integer = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(asInteger);
const nearLimit = fc.bigInt({ min: 2n ** 53n - 2n, max: 2n ** 53n + 4n }).map(asInteger);
const whole = fc.integer({ min: -1000, max: 1000 }).map((n) => new Double(n));
const fraction = fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Number.isInteger(n));
const key = fc.oneof(fc.constantFrom("a", "b", "z", "10", "2", "__proto__", "constructor", "länge"), fc.string());
const leaf = fc.oneof(integer, nearLimit, whole, fraction, fc.string(), fc.boolean());
/** Members with integers of 64 bits, doubles that are whole numbers, and keys in any order. */
export const { members }: { readonly members: fc.Arbitrary<JsonObject> } = fc.letrec<{
  value: unknown;
  members: JsonObject;
  list: unknown[];
}>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, leaf, tie("members"), tie("list")),
  members: fc
    .uniqueArray(fc.tuple(key, tie("value")), { selector: ([name]) => name, maxLength: 5 })
    .map(Object.fromEntries),
  list: fc.array(tie("value"), { maxLength: 4 }),
}));

export function asInteger(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
