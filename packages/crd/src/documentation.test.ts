// The README's examples run, and answer what they say.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as crd from "./index.ts";

const text = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const examples = [...text.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code ?? "");

test.each(examples)("example %#", (code) => {
  const got: { readonly answer: unknown; readonly want: unknown }[] = [];
  const body = code
    .replace(/^import \{(.*?)\} from "@celadon\/crd";$/gm, "const {$1} = module;")
    .replace(/^(.*); \/\/ → (.*)$/gm, (_, expression, want) => `answers(${expression}, ${want});`);
  new Function("module", "answers", `"use strict";\n${body}`)(crd, (answer: unknown, want: unknown) =>
    got.push({ answer, want }),
  );
  expect(got.length).toBeGreaterThan(0);
  for (const { answer, want } of got) expect(answer).toEqual(want);
});
