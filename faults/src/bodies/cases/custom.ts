// Custom resources: sets, keyed lists, enumerations, patterns, rules, defaults, and unknown fields.

import { asJson, type Cases, custom, DRY, members, repeat } from "../samples.ts";

export const customCases: Cases = {
  "cr enum": (s) => custom({ enums: repeat(s / 4, () => "x") }),
  "cr types": (s) => custom({ enums: repeat(s / 3, () => 1) }),
  "cr set": (s) => custom({ set: repeat(s / 10, (i) => `k${i}`) }),
  "cr set dup": (s) => custom({ set: repeat(s / 4, () => "k") }),
  "cr set nums": (s) => custom({ nums: repeat(s / 8, (i) => i) }),
  "cr map": (s) => custom({ map: repeat(s / 30, (i) => ({ name: `k${i}` })) }),
  "cr map dup": (s) => custom({ map: repeat(s / 14, () => ({ name: "k" })) }),
  "cr map2": (s) => custom({ map2: repeat(s / 30, (i) => ({ a: `k${i}`, b: 1 })) }),
  "cr mapset objects": (s) => custom({ objset: repeat(s / 12, (i) => ({ a: `k${i}` })) }),
  "cr rules": (s) => custom({ ruled: repeat(s / 12, (i) => ({ a: i })) }),
  "cr rules fail": (s) => custom({ ruled: repeat(s / 12, (i) => ({ a: -i - 1 })) }),
  "cr preserve": (s) => custom({ any: members(s / 12, (i) => [`k${i}`, i]) }),
  "cr unknown": (s) => custom(members(s / 12, (i) => [`k${i}`, i])),
  "cr pattern": (s) => custom({ pat: repeat(s / 4, () => "x") }),
  "cr pattern long": (s) => custom({ pat: [`${"a".repeat(s)}!`] }),
  "cr patternb": (s) => custom({ patb: "a".repeat(s - 100) }),
  "cr deep": () => custom({ any: JSON.parse(`${'{"a":'.repeat(4000)}1${"}".repeat(4000)}`), enums: [] }),
  "cr oneOf": (s) => custom({ oneof: repeat(s / 4, () => "x") }),
  "cr formats": (s) => custom({ fmt: repeat(s / 5, () => "x") }),
  "cr defaults": (s) => custom({ defs: repeat(s / 3, () => ({})) }),
  "cr maxlen": (s) => custom({ maxl: repeat(s / 14, () => "xxxxxxxxxxx") }),
  "cr required": (s) => custom({ req: repeat(s / 3, () => ({})) }),
  "cr dup fields": (s) => ({
    method: "POST",
    path: `/apis/example.com/v1/namespaces/default/things${DRY}`,
    body:
      '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"generateName":"a"},"spec":{' +
      repeat(s / 16, () => `"any":{},"any":1`).join(",") +
      "}}",
  }),
  "cr dup many": (s) => ({
    method: "POST",
    path: `/apis/example.com/v1/namespaces/default/things${DRY}`,
    body:
      '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"generateName":"a"},"spec":{"any":{' +
      repeat(s / 22, (i) => `"k${i}":1,"k${i}":1`).join(",") +
      "}}}",
  }),
  "cr bad meta": (s) => ({
    method: "POST",
    path: `/apis/example.com/v1/namespaces/default/things${DRY}`,
    body: asJson({
      apiVersion: "example.com/v1",
      kind: "Thing",
      metadata: { generateName: "a", ...members(s / 14, (i) => [`k${i}`, 1]) },
    }),
  }),
};
