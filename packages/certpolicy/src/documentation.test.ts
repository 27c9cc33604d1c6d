// The README is tested: every example runs, and what follows `// →` is what the expression before it answers.

import { readFileSync } from "node:fs";
import * as kube from "@celadon/kube";
import { expect, test } from "vitest";
import * as csr from "./csr/index.ts";
import * as certpolicy from "./index.ts";

const MODULES = { "@celadon/kube": kube, "@celadon/certpolicy": certpolicy, "@celadon/certpolicy/csr": csr };
const text = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const examples = [...text.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = ""], i) => ({
  title: `example ${i + 1}`,
  code,
}));

test.each(examples)("$title", async ({ code }) => {
  const body = code
    .replace(/^import \{(.*?)\} from "(.*?)";$/gm, (_, names, from) => `const {${names}} = modules["${from}"];`)
    .replace(/^(.*); \/\/ → (.*)$/gm, (_, expression, want) => `answers(${expression}, ${want});`);
  const got: { answer: unknown; want: unknown }[] = [];
  const run = new Function("modules", "answers", `"use strict"; return (async () => {\n${body}\n})();`);
  await run(MODULES, (answer: unknown, want: unknown) => got.push({ answer, want }));
  expect(got.length).toBeGreaterThan(0);
  for (const { answer, want } of got) expect(answer).toEqual(want);
});
