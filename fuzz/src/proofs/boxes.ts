// A kind whose fields have every type, and small objects of it in great number.

import type { KubeObject } from "@celadon/kube";
import type { Random } from "../random.ts";

const TEXT = { type: "string" };
const TEXTS = { type: "array", items: TEXT };
const MAP = { type: "object", additionalProperties: TEXT };

/** Half of the fields are in every object, so that expressions get past the first of them. */
export const BOXES: KubeObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "boxes.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "boxes", singular: "box", kind: "Box", listKind: "BoxList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            required: ["n", "s", "b", "l", "t", "o", "any"],
            properties: {
              n: { type: "integer", minimum: -2, maximum: 5 },
              m: { type: "integer" },
              s: TEXT,
              p: TEXT,
              b: { type: "boolean" },
              c: { type: "boolean" },
              l: {
                type: "array",
                maxItems: 3,
                items: {
                  type: "object",
                  required: ["s"],
                  properties: { s: TEXT, n: { type: "integer" }, t: TEXTS },
                },
              },
              t: TEXTS,
              u: TEXTS,
              o: MAP,
              q: MAP,
              e: { "x-kubernetes-int-or-string": true },
              d: { type: "number" },
              any: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
            },
          },
        },
      },
    ],
  },
} as unknown as KubeObject;

/** Texts that the functions of expressions tell apart. */
export const WORDS: readonly string[] = [
  "",
  "a",
  "b",
  "ab",
  "ba",
  "B",
  "1",
  "-1",
  "x:y",
  "1Gi",
  "10.0.0.1",
  "NaN",
  "(",
];
const KEYS: readonly string[] = ["a", "b", "x"];

export function randomBox(random: Random): Record<string, unknown> {
  const word = (): string => random.pick(WORDS);
  const number = (): number => random.pick([-1, 0, 1, 2, 3]);
  const list = <T>(make: () => T): T[] => Array.from({ length: random.below(4) }, make);
  const map = (): Record<string, string> =>
    Object.fromEntries(KEYS.filter(() => random.oneIn(2)).map((key) => [key, word()]));
  const maybe = <T>(name: string, make: () => T): Record<string, T> => (random.oneIn(2) ? { [name]: make() } : {});
  const anything = (depth = 0): unknown => {
    switch (random.below(depth > 1 ? 5 : 7)) {
      case 0:
        return number();
      case 1:
        return word();
      case 2:
        return random.oneIn(2);
      case 3:
        return 1.5;
      case 4:
        return null;
      case 5:
        return list(() => anything(depth + 1));
      default:
        return Object.fromEntries(KEYS.filter(() => random.oneIn(2)).map((key) => [key, anything(depth + 1)]));
    }
  };
  return {
    n: number(),
    s: word(),
    b: random.oneIn(2),
    l: list(() => ({ s: word(), ...maybe("n", number), ...maybe("t", () => list(word)) })).slice(0, 3),
    t: list(word),
    o: map(),
    any: Object.fromEntries(KEYS.filter(() => random.oneIn(2)).map((key) => [key, anything()])),
    ...maybe("m", () => random.pick([-1, 0, 1, 2, 2 ** 53, 9223372036854775807n])),
    ...maybe("p", word),
    ...maybe("c", () => random.oneIn(2)),
    ...maybe("u", () => list(word)),
    ...maybe("q", map),
    ...maybe("e", () => random.pick<unknown>([0, 1, "a", "1"])),
    ...maybe("d", () => random.pick([0, 1, 1.5])),
  };
}
