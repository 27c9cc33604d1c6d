// The README's examples run, and what follows `// →` is what the expression before it answers.

import { readFileSync } from "node:fs";
import * as read from "@celadon/kube/read";
import { transformSync } from "esbuild";
import { expect, test } from "vitest";
import * as testing from "./index.ts";

const MODULES: Readonly<Record<string, unknown>> = { "@celadon/kube/read": read, "@celadon/testing": testing };

const text = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const examples = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)];

test.each(examples.map(([, code], i) => [i + 1, code!] as const))("example %i", async (_, code) => {
  const got: { answer: unknown; want: unknown }[] = [];
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  await new AsyncFunction("modules", "answers", toProgram(code))(MODULES, (answer: unknown, want: unknown) =>
    got.push({ answer, want }),
  );
  expect(got.length).toBeGreaterThan(0);
  for (const { answer, want } of got) expect(answer).toEqual(want);
});

function toProgram(code: string): string {
  const body = code
    .replace(/^import \{(.*?)\} from "(.*?)";$/gms, (_, names: string, from) => {
      const values = names.split(",").filter((name) => !name.trim().startsWith("type "));
      return `const {${values.join(",")}} = modules["${from}"];`;
    })
    .replace(/^(.*); \/\/ → (.*)$/gm, (_, expression, want) => `answers(${expression}, ${want});`);
  return `"use strict";\n${transformSync(body, { loader: "ts", target: "es2022" }).code}`;
}
