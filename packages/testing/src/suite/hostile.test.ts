// For any content of a suite or its files, reading and running return data.

import fc from "fast-check";
import { expect, test } from "vitest";
import { readSuite } from "./read/read-suite.ts";
import { runSuite } from "./run-suite.ts";
import { FILES, manifestsOf, suiteOf } from "./suite.testing.ts";

const SUITE = suiteOf(`
- name: a
  object: web
  patch: { spec: { replicas: 4 } }
  user: { username: ann, groups: [dev] }
  namespace: { name: lab, labels: { env: prod } }
  params: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: limits, namespace: policies }, data: { max: "1" } }]
  authorizer: [{ user: ann, decision: allow }]
  policy: replicas
  expect: { verdict: deny, message: { contains: x }, failures: [{ validation: 0 }], cost: { policies: { replicas: 1 } }, object: { spec: {} } }
  cases: [{ name: x }, { name: z, patch: [{ op: remove, path: /spec }] }]`);

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const odd: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, 0, -1, 1.5, "", "x", "replicas", [], {}, [null], [[]], { name: null }, { kind: 1 }),
  fc.constantFrom<Json>(JSON.parse('{"__proto__": {"constructor": 1}}'), { apiVersion: "v1", kind: "Pod" }),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
);

/** Every place of a document. */
function placesOf(value: Json, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [path];
  const entries: [string | number, Json][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...entries.flatMap(([key, item]) => placesOf(item, [...path, key]))];
}

function changed(value: Json, [key, ...rest]: (string | number)[], by: Json): Json {
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.map((item, i) => (i === key ? changed(item, rest, by) : item));
  return Object.fromEntries(
    Object.entries(value as object).map(([name, item]) => [
      name,
      name === key ? changed(item as Json, rest, by) : (item as Json),
    ]),
  );
}

const documents: Readonly<Record<string, Json[]>> = Object.fromEntries(
  Object.entries({ ...FILES, "tests.yaml": SUITE }).map(([file, text]) => [
    file,
    manifestsOf(text, file).map(({ object }) => object as unknown as Json),
  ]),
);
const places = Object.entries(documents).flatMap(([file, list]) =>
  list.flatMap((document, i) => placesOf(document).map((path) => ({ file, path: [i, ...path] }))),
);

test("a value in place of another", async () => {
  let ran = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...places), odd, async ({ file, path }, by) => {
      const changedFiles = { ...documents, [file]: changed(documents[file]!, path, by) as Json[] };
      const origin = (name: string) => ({ ...manifestsOf(SUITE, name)[0]!.origin!, file: name });
      const loader = {
        load: async (name: string) => {
          // A document that is no Kubernetes object never gets past a loader.
          const objects = (changedFiles[name] ?? []).filter(
            (json): json is { [key: string]: Json } =>
              typeof json === "object" &&
              json !== null &&
              !Array.isArray(json) &&
              typeof json.kind === "string" &&
              typeof json.apiVersion === "string",
          );
          return {
            manifests: objects.map((object) => ({ object: object as object as never, origin: origin(name) })),
            issues: [],
          };
        },
      };
      const { suite, issues } = await readSuite(
        { value: changedFiles["tests.yaml"]![0], origin: origin("tests.yaml") },
        loader,
      );
      expect(suite === undefined).toBe(issues.length > 0);
      if (suite === undefined) return;
      const result = await runSuite(suite);
      expect(result.cases.length > 0 || result.issues.length > 0).toBe(true);
      ran++;
    }),
    { numRuns: 500, seed: 8 },
  );
  expect(ran).toBeGreaterThan(100);
});
