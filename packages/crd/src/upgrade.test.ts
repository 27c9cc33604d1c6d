// Upgrades: which objects survive a new definition, and which only as long as nobody touches them.

import { expect, test } from "vitest";
import { checkUpgrade } from "./upgrade.ts";
import type { JsonObject } from "./value/json.ts";
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
    report.objects.map(({ name, broken, held, lost }) => [name, { broken: texts(broken), held: texts(held), lost }]),
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

test("a version that is gone is told, and a definition that would be refused", () => {
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

test("a required field that is new is held while its parent is unchanged", () => {
  const next = accepted(
    widgetDefinition(withProperties({ a: INTEGER, b: INTEGER, gone: INTEGER }, { required: ["a"] })),
    old,
  );
  const report = checkUpgrade(old, next, objects);
  expect(report.objects.map(({ name, held, broken }) => [name, texts(held), texts(broken)])).toEqual([
    ["broken", ["spec.a: Required value"], []],
  ]);
});

test("rules are held beside errors of values, and see that there is an old value", () => {
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

test("no rule is held where none would run", () => {
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
