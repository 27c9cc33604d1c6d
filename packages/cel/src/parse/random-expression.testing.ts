// Random texts for properties: valid expressions built from the grammar, and such expressions damaged.

import fc from "fast-check";

const name = fc.constantFrom("a", "b", "c", "x", "size", "_y1");
const field = fc.oneof(name, fc.constantFrom("if", "namespace", "`in`", "`a-b`", "`x/y z`"));
// biome-ignore format: a list of literals
const literal = fc.oneof(
  fc.constantFrom(
    "null", "true", "false", "0", "1", "-1", "9223372036854775807", "-9223372036854775808", "9007199254740993", "0x1F", "7u",
    "18446744073709551615u", "1.0", "-0.0", ".5", "1e300", "5e-324", "9007199254740992.0", "''", "'a\\n\\'b'", "\"q\\\"\"",
    "r'\\d+'", "'''it's'''", "b'\\xff\\000z'", "'é😀'", "b'é'", "'\\u2028\\x00'",
  ),
  fc.string({ maxLength: 8 }).map((text) => JSON.stringify(text)),
);

const paren = (text: string): string => `(${text})`;
const join = (parts: readonly string[]): string => parts.join(", ");

/** A valid expression, of any precedence. */
export const expression: fc.Arbitrary<string> = fc.letrec<{ expr: string; member: string }>((tie) => ({
  expr: fc.oneof(
    { maxDepth: 5, depthSize: "small" },
    tie("member"),
    fc
      .tuple(tie("expr"), fc.constantFrom("&&", "||"), tie("expr"))
      .map(([l, op, r]) => `${paren(l)} ${op} ${paren(r)}`),
    fc
      .array(tie("member"), { minLength: 2, maxLength: 7 })
      .chain((terms) => fc.constantFrom(" && ", " || ").map((op) => terms.join(op))),
    fc
      .tuple(
        tie("member"),
        fc.constantFrom("==", "!=", "<", "<=", ">", ">=", "in", "+", "-", "*", "/", "%"),
        tie("member"),
      )
      .map(([l, op, r]) => `${l} ${op} ${r}`),
    fc
      .array(tie("member"), { minLength: 3, maxLength: 5 })
      .map((terms) => terms.map((term, i) => (i === 0 ? term : `${"+-*/%"[(term.length + i) % 5]} ${term}`)).join(" ")),
    fc.tuple(tie("member"), tie("member"), tie("expr")).map(([c, a, b]) => `${c} ? ${a} : ${b}`),
    fc
      .tuple(fc.constantFrom("!", "!!", "-", "--", "---"), tie("member"))
      .map(([op, e]) => `${op}${/^-/.test(e) ? `(${e})` : e}`),
  ),
  member: fc.oneof(
    { maxDepth: 5, depthSize: "small" },
    literal,
    name,
    tie("expr").map(paren),
    fc.tuple(tie("member"), fc.constantFrom(".", ".?"), field).map(([o, dot, f]) => `${o}${dot}${f}`),
    fc.tuple(tie("member"), fc.constantFrom("[", "[?"), tie("expr")).map(([o, open, i]) => `${o}${open}${i}]`),
    fc.tuple(name, fc.array(tie("expr"), { maxLength: 2 })).map(([f, args]) => `${f}(${join(args)})`),
    fc
      .tuple(tie("member"), name, fc.array(tie("expr"), { maxLength: 2 }))
      .map(([o, f, args]) => `${o}.${f}(${join(args)})`),
    fc
      .array(fc.tuple(fc.constantFrom("", "?"), tie("expr")), { maxLength: 3 })
      .map((e) => `[${join(e.map(([q, x]) => q + x))}]`),
    fc
      .array(fc.tuple(tie("expr"), tie("expr")), { maxLength: 2 })
      .map((e) => `{${join(e.map(([k, v]) => `${k}: ${v}`))}}`),
    fc
      .array(fc.tuple(field, tie("expr")), { maxLength: 2 })
      .map((e) => `pkg.M{${join(e.map(([k, v]) => `${k}: ${v}`))}}`),
    fc.tuple(tie("member"), name).map(([o, f]) => `has(${o}.${f})`),
    fc
      .tuple(tie("member"), fc.constantFrom("all", "exists", "exists_one", "map", "filter", "optMap"), tie("expr"))
      .map(([o, macro, body]) => `${o}.${macro}(x, ${body})`),
    fc
      .tuple(tie("member"), fc.constantFrom("all", "exists", "transformList", "transformMap"), tie("expr"))
      .map(([o, macro, body]) => `${o}.${macro}(k, v, ${body})`),
  ),
})).expr;

// biome-ignore format: a list of fragments
const fragment = fc.constantFrom(
  "(", ")", "[", "]", "{", "}", ".", ",", "-", "!", "?", ":", "+", "&&", "||", "&", "==", "=", "in", "'", '"', "'''", "\\", "`",
  "@", "é", "😀", "\n", "//", " ", "has(", "if", "1", "1u", "9999999999999999999", "a", "a.b", ".all(x, ", "..", "M{", "r'", "b'",
);

/** A valid expression with something removed, inserted or doubled, a few times. */
export const damaged: fc.Arbitrary<string> = fc
  .tuple(expression, fc.array(fc.tuple(fc.nat(), fc.nat(6), fragment), { minLength: 1, maxLength: 4 }))
  .map(([text, edits]) =>
    edits.reduce((now, [place, length, insert]) => {
      const at = now.length === 0 ? 0 : place % now.length;
      return now.slice(0, at) + (place % 3 === 0 ? "" : insert) + now.slice(at + (place % 2 === 0 ? length : 0));
    }, text),
  );
