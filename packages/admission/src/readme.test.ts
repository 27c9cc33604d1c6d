// The README's examples run, and what follows `// →` is what the expression before it answers.

import { readFileSync } from "node:fs";
import { transformSync } from "esbuild";
import { expect, test } from "vitest";
import * as autogen from "./autogen/index.ts";
import * as admission from "./index.ts";
import * as memory from "./memory/index.ts";
import * as resources from "./resources/index.ts";
import * as webhook from "./webhook/index.ts";

const MODULES: Readonly<Record<string, unknown>> = {
  "@celadon/admission": admission,
  "@celadon/admission/autogen": autogen,
  "@celadon/admission/memory": memory,
  "@celadon/admission/resources": resources,
  "@celadon/admission/webhook": webhook,
};

const text = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const examples = [...text.matchAll(/^## ([^\n]*)\n(?:(?!^## )[\s\S])*?^```ts\n([\s\S]*?)^```$/gm)];
const AsyncFunction = (async () => {}).constructor as new (...args: string[]) => (...args: unknown[]) => Promise<void>;

test.each(examples.map(([, title, code]) => [title!, code!]))("%s", async (_, code) => {
  const got: { answer: unknown; want: unknown }[] = [];
  const keep = (answer: unknown, want: unknown) => got.push({ answer, want });
  await new AsyncFunction("modules", "answers", toProgram(code))(MODULES, keep);
  expect(got.length).toBeGreaterThan(0);
  for (const { answer, want } of got) expect(answer).toEqual(want);
});

test("every section with an example was found", () => expect(examples.length).toBe(text.split("```ts").length - 1));

function toProgram(code: string): string {
  const body = code
    .replace(
      /^import \{(.*?)\} from "(.*?)";$/gms,
      (_, names: string, from) => `const {${names.replace(/\btype \w+,?/g, "")}} = modules["${from}"];`,
    )
    .replace(/^(.*); \/\/ → (.*)$/gm, (_, expression, want) => `answers(${expression}, ${want});`);
  return transformSync(body, { loader: "ts", target: "es2022" }).code;
}
