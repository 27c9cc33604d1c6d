// The README's examples run, and what follows `// →` is what the expression before it answers.

import { readFileSync } from "node:fs";
import { transformSync } from "esbuild";
import { expect, test } from "vitest";
import * as builtin from "./builtin/index.ts";
import * as defaults from "./defaults/index.ts";
import * as kube from "./index.ts";
import * as read from "./read/index.ts";

const MODULES: Readonly<Record<string, unknown>> = {
  "@celadon/kube": kube,
  "@celadon/kube/read": read,
  "@celadon/kube/builtin": builtin,
  "@celadon/kube/defaults": defaults,
};

const text = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const examples = [...text.matchAll(/^## ([^\n]*)\n(?:(?!^## )[\s\S])*?^```ts\n([\s\S]*?)^```$/gm)];

test.each(examples.map(([, title, code]) => [title!, code!]))("%s", (_, code) => {
  const got: { answer: unknown; want: unknown }[] = [];
  new Function("modules", "answers", toProgram(code))(MODULES, (answer: unknown, want: unknown) =>
    got.push({ answer, want }),
  );
  expect(got.length).toBeGreaterThan(0);
  for (const { answer, want } of got) expect(answer).toEqual(want);
});

test("every section with an example was found", () => expect(examples.length).toBe(text.split("```ts").length - 1));

function toProgram(code: string): string {
  const body = code
    .replace(/^import \{(.*?)\} from "(.*?)";$/gms, (_, names: string, from) => {
      const values = names.split(",").filter((name) => !name.trim().startsWith("type "));
      return `const {${values.join(",")}} = modules["${from}"];`;
    })
    .replace(/^(.*); \/\/ → (.*)$/gm, (_, expression, want) => `answers(${expression}, ${want});`);
  return `"use strict";\n${transformSync(body, { loader: "ts", target: "es2022" }).code}`;
}
