// The examples of the documentation are run: every `js` block is a program of its own, and what follows `// →` is what the
// expression before it answers.

import { readdirSync, readFileSync } from "node:fs";
import * as protobuf from "@bufbuild/protobuf";
import * as wkt from "@bufbuild/protobuf/wkt";
import * as cel from "@celadon/cel";
import * as lib from "@celadon/cel/lib";
import * as proto from "@celadon/cel/proto";
import { describe, expect, test } from "vitest";

const root = new URL("../../../", import.meta.url);
const guides = readdirSync(new URL("docs/guides/", root)).map((name) => `docs/guides/${name}`);

describe.each(["README.md", "packages/cel/README.md", ...guides])("%s", (path) => {
  const blocks = readFileSync(new URL(path, root), "utf8").matchAll(/^```js\n(.*?)^```$/gms);
  const examples = [...blocks].map(([, code], i) => ({ title: `example ${i + 1}`, code: code ?? "" }));
  test.each(examples)("$title", ({ code }) => {
    const got: { answer: unknown; want: unknown }[] = [];
    new Function("modules", "answers", toProgram(code))(MODULES, (answer: unknown, want: unknown) =>
      got.push({ answer, want }),
    );
    expect(got.length, "an example states what it answers").toBeGreaterThan(0);
    for (const { answer, want } of got) expect(answer).toEqual(want);
  });
});

const MODULES: Readonly<Record<string, unknown>> = {
  "@bufbuild/protobuf": protobuf,
  "@bufbuild/protobuf/wkt": wkt,
  "@celadon/cel": cel,
  "@celadon/cel/lib": lib,
  "@celadon/cel/proto": proto,
};

/** Imports become destructuring, and `expression; // → answer` a comparison. */
function toProgram(code: string): string {
  const body = code
    .replace(/^import \{(.*?)\} from "(.*?)";$/gms, (_, names, from) => `const {${names}} = modules["${from}"];`)
    .replace(/^(.*); \/\/ → (.*)$/gm, (_, expression, want) => `answers(${expression}, ${want});`);
  return `"use strict";\n${body}`;
}
