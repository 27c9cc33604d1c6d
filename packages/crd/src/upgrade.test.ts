// Upgrades: which objects survive a new definition, and which only as long as nobody touches them.

import type { JsonObject } from "@celadon/base";
import { expect, test } from "vitest";
import type { CustomResourceDefinition } from "./definition/definition.ts";
import { checkUpgrade } from "./upgrade.ts";
import { accepted, texts, widget, widgetDefinition, withProperties } from "./widgets.testing.ts";

const INTEGER = { type: "integer" };
const rules = (...list: JsonObject[]): JsonObject => ({ "x-kubernetes-validations": list });

const old = accepted(widgetDefinition(withProperties({ a: INTEGER, b: INTEGER, gone: INTEGER })));
const objects = [
  widget({ spec: { a: 1, b: 1 } }, "fine"),
  widget({ spec: { a: -1, b: 1 } }, "held"),
  widget({ spec: { b: 1 } }, "broken"),
  widget({ spec: { a: 1, b: 1, gone: 1 } }, "lossy"),
];

test("objects are sorted by what becomes of them", () => {
  const next = accepted(
    widgetDefinition(
      withProperties(
        { a: { ...INTEGER, ...rules({ rule: "self > 0", message: "must be positive" }) }, b: INTEGER },
        rules({ rule: "self.a >= -1" }),
      ),
    ),
    old,
  );
  const report = checkUpgrade(old, next, objects);
  expect(report.definition).toEqual([]);
  const shown = Object.fromEntries(
    report.objects.map(({ name, broken, held, lost }) => [
      name,
      { broken: texts(broken), held: texts(held), lost: lost.map(String) },
    ]),
  );
  expect(shown).toEqual({
    held: { broken: [], held: ["spec.a: Invalid value: -1: must be positive"], lost: [] },
    broken: {
      broken: ['spec: Invalid value: "object": no such key: a evaluating rule: self.a >= -1'],
      held: [],
      lost: [],
    },
    lossy: { broken: [], held: [], lost: ["spec.gone"] },
  });
});

test("rules at the root are not saved by ratcheting", () => {
  const schema = {
    ...withProperties({ a: INTEGER, b: INTEGER, gone: INTEGER }),
    ...rules({ rule: "self.metadata.name == 'fine'", message: "only one" }),
  };
  const report = checkUpgrade(old, accepted(widgetDefinition(schema), old), objects);
  expect(report.objects.map(({ name, broken }) => [name, texts(broken)])).toEqual(
    ["held", "broken", "lossy"].map((name) => [name, ["<nil>: Invalid value: only one"]]),
  );
});

test("a removed version is reported, and a CRD that would be rejected", () => {
  const v2 = {
    name: "v2",
    served: true,
    storage: true,
    schema: { openAPIV3Schema: withProperties({ a: INTEGER, b: INTEGER, gone: INTEGER }) },
  };
  const next = accepted(widgetDefinition(undefined, { versions: [v2] }));
  const report = checkUpgrade(old, next, objects.slice(0, 1));
  expect(report.objects[0]).toMatchObject({ name: "fine", versionGone: true, broken: [] });
  expect(texts(report.definition)[0]).toMatch(
    /^status\.storedVersions\[0\]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version/,
  );
});

test("a new required field is ratcheted while its parent is unchanged", () => {
  const next = accepted(
    widgetDefinition(withProperties({ a: INTEGER, b: INTEGER, gone: INTEGER }, { required: ["a"] })),
    old,
  );
  const report = checkUpgrade(old, next, objects);
  expect(report.objects.map(({ name, held, broken }) => [name, texts(held), texts(broken)])).toEqual([
    ["broken", ["spec.a: Required value"], []],
  ]);
});

test("rules are ratcheted beside errors of values, and see the old value", () => {
  const next = accepted(
    widgetDefinition(
      withProperties({
        a: { ...INTEGER, enum: [1] },
        b: { ...INTEGER, ...rules({ rule: "self > 5" }, { rule: "oldSelf.hasValue()", optionalOldSelf: true }) },
        gone: INTEGER,
      }),
    ),
    old,
  );
  const report = checkUpgrade(old, next, [widget({ spec: { a: 2, b: 3 } }, "both")]);
  expect(report.objects.map(({ broken, held }) => [texts(broken), texts(held)])).toEqual([
    [[], ['spec.a: Unsupported value: 2: supported values: "1"', "spec.b: Invalid value: 3: failed rule: self > 5"]],
  ]);
});

test("no rule is ratcheted where none would run", () => {
  const next = accepted(
    widgetDefinition({
      ...withProperties({ a: INTEGER, b: { ...INTEGER, ...rules({ rule: "self > 5" }) }, gone: INTEGER }),
      required: ["more"],
    }),
    old,
  );
  const report = checkUpgrade(old, next, [widget({ spec: { a: 2, b: 3 } }, "blocked")]);
  expect(report.objects.map(({ broken, held }) => [texts(broken).length, texts(held)])).toEqual([[2, []]]);
});

test("definitions from files are filled in first", () => {
  const file = (schema: JsonObject): CustomResourceDefinition =>
    widgetDefinition(schema) as unknown as CustomResourceDefinition;
  const a = file(withProperties({ a: INTEGER, b: INTEGER, gone: INTEGER }));
  expect(checkUpgrade(a, a, objects)).toEqual({ definition: [], objects: [], ignored: [] });
  const b = file(withProperties({ a: { ...INTEGER, minimum: 0 }, b: INTEGER, gone: INTEGER }));
  const report = checkUpgrade(a, b, objects);
  expect(report.definition).toEqual([]);
  expect(report.objects.map(({ name, held }) => [name, held.length])).toEqual([["held", 1]]);
  const v2 = { ...b.spec.versions![0]!, name: "v2" };
  const gone = { ...b, spec: { ...b.spec, versions: [v2] } };
  expect(texts(checkUpgrade(a, gone, []).definition)[0]).toContain("v1 was previously a storage version");
});

test("an object that is not a CRD is reported", () => {
  const wrong = { spec: 5 } as unknown as CustomResourceDefinition;
  expect(texts(checkUpgrade(old, wrong, objects).definition)[0]).toContain("cannot unmarshal number");
  expect(texts(checkUpgrade(wrong, old, objects).definition)[0]).toContain("the old definition: ");
});

test("objects of another kind or group are left out", () => {
  const others = [
    { ...widget({}, "kind"), kind: "Gadget" },
    { ...widget({}, "group"), apiVersion: "other.com/v1" },
    {},
    null as unknown as JsonObject,
  ];
  const report = checkUpgrade(old, old, others);
  expect(report.objects).toEqual([]);
  expect(report.ignored).toEqual([
    { namespace: "default", name: "kind", apiVersion: "example.com/v1", kind: "Gadget" },
    { namespace: "default", name: "group", apiVersion: "other.com/v1", kind: "Widget" },
    { namespace: "", name: "", apiVersion: "", kind: "" },
    { namespace: "", name: "", apiVersion: "", kind: "" },
  ]);
});

test("an object that is nested too deeply is broken", () => {
  let deep: unknown = 1;
  for (let i = 0; i < 5_000; i++) deep = [deep];
  const report = checkUpgrade(old, old, [widget({ spec: { deep } }, "deep")]);
  expect(report.objects.map(({ broken }) => texts(broken))).toEqual([
    ["<nil>: Invalid value: nested more than 1000 levels deep"],
  ]);
});
