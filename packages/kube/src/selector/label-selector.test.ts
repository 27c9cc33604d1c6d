import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fieldErrorText } from "../field-error.ts";
import { fieldPath } from "../field-path.ts";
import { Invalid } from "../invalid.ts";
import { recorded } from "../recorded.testing.ts";
import { LabelSelector, parseLabelSelector, toLabelSelector, validateLabelSelector } from "./label-selector.ts";
import {
  type Labels,
  makeRequirement,
  type Requirement,
  requirementText,
  type SelectorOperator,
} from "./requirement.ts";

type Row = { text: string; labels: Labels } & ({ error: string } | { canonical: string; matches: boolean });

describe("as recorded", () => {
  test.each(recorded<Row>("label-selectors", import.meta.url))("$text", (row) => {
    const selector = parseLabelSelector(row.text);
    if ("error" in row) expect(selector).toEqual(new Invalid(row.error));
    else {
      if (selector instanceof Invalid) throw new Error(selector.message);
      expect(selector.toString()).toBe(row.canonical);
      expect(selector.matches(row.labels)).toBe(row.matches);
    }
  });
});

const key = fc.constantFrom("a", "b", "env", "x.io/y", "in", "notin");
const value = fc.constantFrom("", "a", "b", "prod", "1", "5", "in");
const labelSets = fc.dictionary(key, value, { maxKeys: 4 });
const setValues = fc.uniqueArray(value, { minLength: 1, maxLength: 3 });
const requirement: fc.Arbitrary<Requirement> = fc.oneof(
  fc.record({ key, operator: fc.constantFrom<SelectorOperator>("in", "notin"), values: setValues }),
  fc.record({ key, operator: fc.constantFrom<SelectorOperator>("=", "==", "!="), values: fc.tuple(value) }),
  fc.record({ key, operator: fc.constantFrom<SelectorOperator>("exists", "!"), values: fc.constant([]) }),
  fc.record({
    key,
    operator: fc.constantFrom<SelectorOperator>("gt", "lt"),
    values: fc.tuple(fc.constantFrom("1", "4", "9")),
  }),
);

/** The meaning of a requirement, written differently. */
function naive({ key, operator, values }: Requirement, labels: Labels): boolean {
  const has = Object.keys(labels).includes(key);
  const label = has ? labels[key]! : "";
  const number = /^-?\d+$/.test(label) ? Number(label) : Number.NaN;
  const is = {
    in: has && values.some((text) => text === label),
    notin: !has || values.every((text) => text !== label),
    "=": has && label === values[0],
    "==": has && label === values[0],
    "!=": !has || label !== values[0],
    exists: has,
    "!": !has,
    gt: has && number > Number(values[0]),
    lt: has && number < Number(values[0]),
  };
  return is[operator];
}

describe("against a naive model", () => {
  test("made, printed, parsed and matched", () => {
    fc.assert(
      fc.property(fc.array(requirement, { maxLength: 4 }), labelSets, (requirements, labels) => {
        const text = requirements.map(requirementText).join(", ");
        const selector = parseLabelSelector(text);
        if (selector instanceof Invalid) throw new Error(`${text}: ${selector.message}`);
        const want = requirements.every((item) => naive(item, labels));
        expect(selector.matches(labels)).toBe(want);
        expect(new LabelSelector(requirements).matches(labels)).toBe(want);
        const again = parseLabelSelector(selector.toString());
        expect(again instanceof Invalid ? again.message : again.toString()).toBe(selector.toString());
      }),
      { numRuns: 1000 },
    );
  });

  test("any text is a selector or an error", () => {
    const part = fc.constantFrom(
      "a",
      "b/c",
      "=",
      "!=",
      "!",
      " in ",
      "(",
      ")",
      ",",
      ">",
      "<",
      "1",
      " ",
      "\0",
      "é",
      "in",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const selector = parseLabelSelector(parts.join(""));
        if (!(selector instanceof Invalid)) selector.matches({ a: "1" });
      }),
      { numRuns: 2000 },
    );
  });
});

describe("objects", () => {
  const of = (object: Parameters<typeof toLabelSelector>[0]): LabelSelector => {
    const selector = toLabelSelector(object);
    if (selector instanceof Invalid) throw new Error(selector.message);
    return selector;
  };

  test("an absent selector matches nothing, an empty one everything", () => {
    expect(of(undefined).matches({})).toBe(false);
    expect(of(null).isEmpty).toBe(false);
    expect(of({}).matches({ a: "b" })).toBe(true);
    expect(of({ matchLabels: null, matchExpressions: null }).isEmpty).toBe(true);
    expect(of({}).matches(undefined)).toBe(true);
  });

  test("labels and expressions", () => {
    const selector = of({
      matchLabels: { app: "web" },
      matchExpressions: [
        { key: "tier", operator: "In", values: ["b", "a"] },
        { key: "canary", operator: "DoesNotExist" },
      ],
    });
    expect(selector.toString()).toBe("app=web,!canary,tier in (a,b)");
    expect(selector.matches({ app: "web", tier: "a" })).toBe(true);
    expect(selector.matches({ app: "web", tier: "a", canary: "" })).toBe(false);
  });

  test("names that mean something to JavaScript are ordinary keys", () => {
    expect(of({ matchExpressions: [{ key: "constructor", operator: "Exists" }] }).matches({})).toBe(false);
    expect(of({ matchExpressions: [{ key: "toString", operator: "DoesNotExist" }] }).matches({})).toBe(true);
  });

  // biome-ignore format: one case per line
  test.each([
    [{ matchExpressions: [{ key: "a", operator: "Gt", values: ["1"] }] }, '"Gt" is not a valid label selector operator'],
    [{ matchExpressions: [{ key: "a", operator: "In" }] },  "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty"],
    [{ matchExpressions: [{ key: "a", operator: "Exists", values: ["b"] }] }, 'values: Invalid value: ["b"]: values set must be empty for exists and does not exist'],
  ])("%j", (object, message) => expect(toLabelSelector(object)).toEqual(new Invalid(message)));

  test("validation, field by field", () => {
    const errors = validateLabelSelector(
      {
        matchLabels: { ok: "fine", "bad key": "x" },
        matchExpressions: [
          { key: "a", operator: "In" },
          { key: "a", operator: "Exists", values: ["b"] },
          { key: "-", operator: "in<", values: ["b!"] },
        ],
      },
      fieldPath("spec", "selector"),
    ).map(fieldErrorText);
    expect(errors.map((text) => text.replace(/(name part|a valid label) must.*/, "$1 …"))).toEqual([
      'spec.selector.matchLabels: Invalid value: "bad key": name part …',
      "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      "spec.selector.matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      'spec.selector.matchExpressions[2].operator: Invalid value: "in\\u003c": not a valid selector operator',
      'spec.selector.matchExpressions[2].key: Invalid value: "-": name part …',
      'spec.selector.matchExpressions[2].values[0]: Invalid value: "b!": a valid label …',
    ]);
    expect(validateLabelSelector(undefined, fieldPath("x"))).toEqual([]);
  });
});

test("an operator nobody knows", () => {
  const made = makeRequirement("a", "~" as SelectorOperator, []);
  expect(made).toEqual(
    new Invalid(
      'operator: Unsupported value: "~": supported values: "in", "notin", "=", "==", "!=", "gt", "lt", "exists", "!"',
    ),
  );
});
