// Generated objects are valid: for random schemas by the validator of custom resources, for built-in kinds by the requirements of their
// types.

import { ValueValidator } from "@celadon/crd";
import { builtinResources, builtinSchema } from "@celadon/kube/builtin";
import { fieldPath } from "@celadon/kube/errors";
import { readSchema } from "@celadon/kube/schemas";
import { validateLabels } from "@celadon/kube/selectors";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accepts } from "./accepts.ts";
import { type Chooser, chooserOf, plansOf, randomChooser } from "./chooser.ts";
import { Focus } from "./focus.ts";
import { generateObject } from "./generate.ts";
import { Random } from "./random.ts";

const bounds = (low: string, high: string, most: number): fc.Arbitrary<object> =>
  fc.record({ low: fc.nat(most), more: fc.nat(most) }).map(({ low: a, more }) => ({ [low]: a, [high]: a + more }));
const maybe = (limits: fc.Arbitrary<object>): fc.Arbitrary<object> => fc.oneof(fc.constant({}), limits);

const { schema: schemas } = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    maybe(bounds("minLength", "maxLength", 20)).map((limits) => ({ type: "string", ...limits })),
    fc
      .constantFrom("^[a-z]{2,9}$", "^v[0-9]+(alpha|beta)?$", "^(a|b)?$")
      .map((pattern) => ({ type: "string", pattern })),
    fc
      .constantFrom(
        "date-time",
        "date",
        "duration",
        "ipv4",
        "ipv6",
        "cidr",
        "uri",
        "email",
        "hostname",
        "byte",
        "uuid",
        "mac",
      )
      .map((format) => ({ type: "string", format })),
    fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 4 }).map((values) => ({ type: "string", enum: values })),
    maybe(bounds("minimum", "maximum", 100)).map((limits) => ({ type: "integer", ...limits })),
    maybe(bounds("minimum", "maximum", 100)).map((limits) => ({ type: "number", ...limits })),
    fc.constant({ type: "integer", format: "int32" }),
    fc.record({ type: fc.constant("boolean"), nullable: fc.boolean() }),
    fc.constant({ "x-kubernetes-int-or-string": true }),
    fc.constant({ type: "object", "x-kubernetes-preserve-unknown-fields": true }),
    fc.constant({
      type: "object",
      "x-kubernetes-preserve-unknown-fields": true,
      "x-kubernetes-embedded-resource": true,
    }),
    fc
      .tuple(tie("schema"), maybe(bounds("minItems", "maxItems", 4)))
      .map(([items, limits]) => ({ type: "array", items, ...limits })),
    fc
      .tuple(tie("schema"), maybe(bounds("minProperties", "maxProperties", 4)))
      .map(([values, limits]) => ({ type: "object", additionalProperties: values, ...limits })),
    fc
      .tuple(
        fc.dictionary(fc.constantFrom("a", "b", "c", "__proto__"), tie("schema"), {
          maxKeys: 3,
          noNullPrototype: true,
        }),
        fc.nat(3),
      )
      .map(([properties, n]) => ({ type: "object", properties, required: Object.keys(properties).slice(0, n) })),
  ),
}));

/** A focus that reads everything in a schema. */
function focusOn(schema: ReturnType<typeof readSchema>, depth = 0): Focus {
  const focus = new Focus();
  fill(focus, schema, depth);
  return focus;
}

function fill(focus: Focus, schema: ReturnType<typeof readSchema>, depth: number): void {
  if (depth > 4) return;
  for (const [name, property] of schema.properties ?? []) fill(focus.child(name), property, depth + 1);
  if (schema.items) fill(focus.items, schema.items, depth + 1);
  if (typeof schema.additionalProperties === "object") fill(focus.items, schema.additionalProperties, depth + 1);
}

describe("objects of random schemas", () => {
  test("are valid, whatever is chosen", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom("x", "y"), schemas, { minKeys: 1, noNullPrototype: true }),
        fc.integer(),
        (properties, seed) => {
          const json = { type: "object", properties };
          const schema = readSchema(json);
          const validator = new ValueValidator(json as never);
          const focus = focusOn(schema);
          const check = (chooser: Chooser, about: Focus | undefined): void => {
            const object = generateObject(schema, { chooser, ...(about && { focus: about }) });
            expect(validator.validate(object)).toEqual([]);
            expect(accepts(schema, object, { focus: about })).toBe(true);
          };
          check(chooserOf({ take: "full" }), undefined);
          for (const plan of plansOf((chooser) => generateObject(schema, { chooser, focus })).slice(0, 40))
            check(chooserOf(plan), focus);
          const random = new Random(seed);
          for (let i = 0; i < 5; i++) check(randomChooser(random), focus);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe("built-in kinds", () => {
  const kinds = builtinResources().filter(({ verbs }) => verbs.includes("create"));
  test.each(kinds.map((kind) => [`${kind.group}/${kind.version} ${kind.kind}`, kind] as const))("%s", (_, kind) => {
    const schema = builtinSchema(kind)!;
    const least = { apiVersion: "v1", kind: kind.kind, metadata: { name: "a" } };
    for (const take of ["minimal", "full"] as const) {
      const object = generateObject(schema, { chooser: chooserOf({ take }), focus: new Focus(), least });
      expect(object).toMatchObject(least);
      expect(accepts(schema, object, { least })).toBe(true);
    }
  });

  test("a pod has a container, a deployment's selector fits its template", () => {
    const options = { chooser: chooserOf({ take: "minimal" }), focus: new Focus(), least: { metadata: { name: "a" } } };
    const pod = generateObject(builtinSchema({ group: "", version: "v1", kind: "Pod" })!, options);
    expect(pod).toEqual({ metadata: { name: "a" }, spec: { containers: [{ name: "a", image: "a" }] } });
    const deployment = generateObject(builtinSchema({ group: "apps", version: "v1", kind: "Deployment" })!, options);
    const app = { app: "a" };
    const template = { metadata: { labels: app }, spec: { containers: [{ name: "a", image: "a" }] } };
    expect(deployment).toEqual({ metadata: { name: "a" }, spec: { selector: { matchLabels: app }, template } });
  });

  test("labels are labels", () => {
    const focus = new Focus();
    const labels = focus.child("metadata").child("labels");
    for (const text of ["x", "not a label!", "", "a/b/c", "example.com/ok"]) labels.items.texts.add(text);
    labels.child("no good");
    const schema = builtinSchema({ group: "", version: "v1", kind: "ConfigMap" })!;
    const random = new Random(1);
    const seen = new Set<string>();
    for (let i = 0; i < 300; i++) {
      const { metadata } = generateObject(schema, {
        chooser: randomChooser(random),
        focus,
        least: { metadata: { name: "a" } },
      });
      const made = (metadata as { labels?: Record<string, string> }).labels ?? {};
      expect(validateLabels(made, fieldPath("metadata").child("labels"))).toEqual([]);
      for (const [key, value] of Object.entries(made)) seen.add(key).add(value);
    }
    expect([...seen]).toEqual(expect.arrayContaining(["x", "example.com/ok", "constructor"]));
  });
});

describe("values that expressions compare with are tried", () => {
  const schema = readSchema({
    type: "object",
    properties: {
      s: { type: "string", maxLength: 50 },
      n: { type: "integer" },
      l: { type: "array", items: { type: "string" }, maxItems: 7 },
    },
  });
  const focus = new Focus();
  focus.child("s").texts.add("needle");
  focus.child("n").numbers.add(41);
  focus.child("l").sizes.add(3);
  const objects = plansOf((chooser) => generateObject(schema, { chooser, focus })).map((plan) =>
    generateObject(schema, { chooser: chooserOf(plan), focus }),
  );
  const values = (key: string): unknown[] => objects.map((object) => object[key]);

  test("texts and their neighbours", () =>
    expect(values("s")).toEqual(expect.arrayContaining(["needle", "needlea", "aneedle", "needl", "", "a".repeat(50)])));
  test("numbers and their neighbours", () =>
    expect(values("n")).toEqual(expect.arrayContaining([40, 41, 42, 0, -1, 2n ** 63n - 1n])));
  test("sizes and their neighbours, and the bound", () =>
    expect(new Set(values("l").map((value) => (value as unknown[] | undefined)?.length))).toEqual(
      new Set([undefined, 0, 1, 2, 3, 4, 7]),
    ));
});
