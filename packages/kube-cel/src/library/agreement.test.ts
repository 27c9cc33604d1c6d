// Interpreted and compiled must agree on every library function and any data: value, error and cost.

import { DYN } from "@celadon/cel";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compileExpression } from "../compile.ts";
import { kubeEnv } from "../environment.ts";
import { tag } from "../vectors.testing.ts";
import { jsonPatchLibrary } from "./jsonpatch.ts";

const env = kubeEnv({ variables: { a: DYN, b: DYN, c: DYN }, engine: { libraries: [jsonPatchLibrary] } });

/** Every function of every library, called with variables; operators apart. */
const calls = [...env.declarations.functions.values()].flat().flatMap(({ name, member, args }) => {
  if (!/^[A-Za-z.]+$/.test(name) || args.length > 3) return [];
  const names = ["a", "b", "c"].slice(0, args.length);
  return [member ? `${names[0]}.${name}(${names.slice(1).join(", ")})` : `${name}(${names.join(", ")})`];
});
const operators = ["==", "!=", "<", "+", "-", "in"].map((operator) => `a ${operator} b`);
const made = ["quantity(a)", "ip(a)", "cidr(a)", "url(a)", "semver(a)"];
const chained = [
  ...made.flatMap((left) =>
    made.flatMap((right) => [`${left} == ${right.replace("a", "b")}`, `dyn(${left}) != ${right.replace("a", "b")}`]),
  ),
  "cidr(a).containsIP(b)",
  "cidr(a).containsCIDR(b)",
  "quantity(a).add(b)",
  "quantity(a).compareTo(b)",
  "a.find('[a-z]+')",
  "a.findAll('[0-9]', b)",
  "a.matches('^a')",
  "format.named(a).hasValue() && format.named(a).value().validate(b).hasValue()",
  "[a, b].sort()",
  "[a, b, c].sum()",
];
// An overload that does not fit all types would be a compile error: those are left out.
const programs = [...new Set([...calls, ...operators, ...chained])].flatMap((text) => {
  const [interpreted, compiled] = (["interpreted", "compiled"] as const).map((mode) =>
    compileExpression(env, text, { mode }),
  );
  return interpreted?.ok && compiled?.ok
    ? [{ text, interpreted: interpreted.program, compiled: compiled.program }]
    : [];
});

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom(
    "1.2.3.4",
    "::1",
    "10.0.0.0/8",
    "10Mi",
    "1.5",
    "1.2.3",
    "http://a.b:80/c?d=e",
    "uri",
    "dns1123Label",
    "a/b~c",
    "2020-01-01T00:00:00Z",
    "1h",
  ),
);
const data = fc.oneof(
  text,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.oneof(text, fc.integer()), { maxLength: 4 }),
  fc.dictionary(text, text, { maxKeys: 3 }),
);

test(`${programs.length} calls with any data`, () => {
  expect(programs.length).toBeGreaterThan(120);
  fc.assert(
    fc.property(fc.constantFrom(...programs), data, data, data, (program, a, b, c) => {
      const [first, other] = [program.interpreted, program.compiled].map((form) => {
        const { value, error, cost } = form.evaluate({ a, b, c });
        return {
          text: program.text,
          cost,
          ...(error === undefined ? { value: tag(value) } : { error: error.message }),
        };
      });
      expect(first).toEqual(other);
    }),
    { numRuns: 4000 },
  );
});
