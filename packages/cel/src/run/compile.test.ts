// Generated code contains no text of the expression except escaped literals and numbers. So the code is the same for all names and texts of
// an expression, except for its string literals, and always a valid script.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fn } from "../call/overload.ts";
import { fixed } from "../cost/formulas.ts";
import { createEnv, type Env } from "../env.ts";
import { bindingsLibrary, optionalLibrary, twoVariableLibrary } from "../lib/index.ts";
import { isDataKey } from "../value/data-property.ts";
import { DYN, STRING } from "../value/type.ts";
import { compile, generate } from "./compile.ts";
import { literal } from "./emit/emit.ts";
import { showOutcome } from "./show.testing.ts";

const libraries = [optionalLibrary(), bindingsLibrary(), twoVariableLibrary];

// biome-ignore format: what would break out of a string, a comment, a template or a line
const EVIL = [
  `"`, `'`, "`", "\\", "$\x7b1}", "\u2028", "\u2029", "\n", "\r", "\u0000", "*/", "//", "<!--", "-->", "</script>", `"); throw 1; ("`,
  "'+process.exit()+'", "$\x7bprocess}", "\\u0022", "\\x22", "\ud800", "\udc00", "😀", "__proto__", "constructor", "arguments", "eval",
];
const evilText = fc
  .array(fc.oneof(fc.constantFrom(...EVIL), fc.string({ maxLength: 4, unit: "binary" })), { maxLength: 4 })
  .map((parts) => parts.join(""));
const RESERVED = new Set([
  "true",
  "false",
  "null",
  "in",
  "as",
  "break",
  "const",
  "continue",
  "else",
  "for",
  "function",
  "if",
  "import",
  "let",
  "loop",
  "package",
  "namespace",
  "return",
  "var",
  "void",
  "while",
]);
const evilName = fc
  .oneof(
    fc.constantFrom(
      "constructor",
      "__proto__",
      "arguments",
      "eval",
      "vars",
      "rt",
      "k",
      "k0",
      "c",
      "m",
      "D",
      "t0",
      "s0",
      "g0",
      "p0",
      "check",
      "tick",
      "Function",
      "globalThis",
      "await",
      "yield",
      "class",
      "this",
      "new",
      "delete",
      "undefined",
      "NaN",
    ),
    fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_]{0,8}$/),
  )
  .filter((name) => !RESERVED.has(name));

/** A CEL string literal of any text. */
const quoted = (text: string): string =>
  `"${Array.from(text, (c) => `\\U${c.codePointAt(0)!.toString(16).padStart(8, "0")}`).join("")}"`;
const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);

const TEMPLATES: readonly ((name: string, text: string) => string)[] = [
  (name, text) => `${name} == ${text}`,
  (name, text) => `${name}[${text}]`,
  (name, text) => `has(${name}.${name}) || ${text} in ${name}`,
  (name, text) => `${name}.${name} + ${text}`,
  (name, text) => `[${text}, ${name}].map(${name}, ${name})`,
  (name, text) => `{${text}: ${name}}[${text}]`,
  (name, text) => `${name}.?${name}[?${text}].orValue(${text})`,
  (name, text) => `cel.bind(${name}, ${text}, ${name} + ${name})`,
  (_, text) => `${text} in [${text}, 'a']`,
  (name, text) => `${name}.startsWith(${text}) ? ${text} : ${name}`,
  (name, text) => `{${text}: 1}.transformMap(${name}, otherVariable, ${name})`,
  (_, text) => `host(${text}) == ${text}`,
  (name, text) => `${name}.exists(${name}, ${name} == ${text}) && ${name}.${name} == ${text}`,
];

function environment(name: string): Env {
  return createEnv({
    variables: { [name]: DYN },
    libraries,
    functions: [fn("host", "host", [STRING], STRING, fixed(1), (text) => text)],
    quotedFields: true,
  });
}

describe("generated code", () => {
  test("is a valid script with the interpreter's results, whatever the names and strings", () => {
    fc.assert(
      fc.property(fc.constantFrom(...TEMPLATES), evilName, evilText.filter(isWellFormed), (template, name, text) => {
        const env = environment(name);
        const expr = template(name, quoted(text));
        const interpreted = env.program(expr, { mode: "interpreted" });
        const compiled = env.program(expr, { mode: "compiled" });
        for (const value of [text, { [name]: text, [text]: 1 }, [text], undefined]) {
          const vars = Object.defineProperty({}, name, { value, enumerable: true });
          expect(showOutcome(compiled.evaluate(vars))).toBe(showOutcome(interpreted.evaluate(vars)));
        }
      }),
      { numRuns: 400 },
    );
  });

  test.each(["straight", "full"] as const)(
    "differs only in its string literals when only names and texts differ: %s",
    (form) => {
      const shape = (template: (typeof TEMPLATES)[number], name: string, text: string): string => {
        const program = environment(name).program(template(name, quoted(text)), { mode: "interpreted" });
        return generate(program.plan, form).code.replace(/"(?:[^"\\]|\\.)*"/g, '""');
      };
      fc.assert(
        fc.property(
          fc.constantFrom(...TEMPLATES),
          evilName.filter(isDataKey),
          evilText.filter(isWellFormed),
          (template, name, text) => {
            // Folding depends on whether texts are data keys, and on their length: the same kind of text is compared.
            fc.pre(text.length > 0 && !/^[A-Za-z_]/.test(text));
            const plain = Array.from(text, () => "-").join("");
            fc.pre(template(name, text) !== template(name, plain));
            expect(shape(template, name, text)).toBe(shape(template, "plain", plain));
          },
        ),
        { numRuns: 400 },
      );
    },
  );

  test("has literals with their exact values", () => {
    fc.assert(
      fc.property(evilText, (text) => {
        const code = literal(text);
        expect(code).not.toMatch(/[\n\r\u2028\u2029]/);
        expect(new Function(`return ${code}`)()).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  test("is left to the interpreter when there would be too much of it", () => {
    const large: Env = createEnv({
      variables: { x: DYN },
      limits: { sourceSize: 1_000_000, nodes: 1_000_000, recursion: 100_000 },
    });
    const text = `[${Array.from({ length: 20_000 }, (_, i) => `x.a${i}`).join(", ")}]`;
    const program = large.program(text, { mode: "compiled" });
    expect(program.form).toBe("interpreted");
    expect(program.evaluate({ x: {} }).error?.message).toBe("no such key: a0");
    expect(compile(program.plan)).toBe(undefined);
  });
});

describe("the form", () => {
  const env: Env = createEnv({ variables: { x: DYN } });

  test("becomes compiled once it has been evaluated a few times", () => {
    const program = env.program("x + 1");
    expect(program.form).toBe("interpreted");
    for (let i = 0; i < 20; i++) expect(program.evaluate({ x: i })).toMatchObject({ value: i + 1, cost: 2 });
    expect(program.form).toBe("compiled");
    expect(program.evaluate({ x: "a" }).error?.message).toBe("no such overload");
    expect(program.form).toBe("compiled");
  });

  test("can be forced", () => {
    expect(env.program("x", { mode: "compiled" }).form).toBe("compiled");
    const program = env.program("x", { mode: "interpreted" });
    for (let i = 0; i < 20; i++) program.evaluate({ x: 1 });
    expect(program.form).toBe("interpreted");
  });
});
