// A `ts` or `js` block as a program of its own: it runs, and the text after `// →` is the value of the expression before it.

import { transformSync } from "esbuild";

export interface Claim {
  readonly answer: unknown;
  readonly want: unknown;
}

const AsyncFunction = (async () => {}).constructor as new (...args: string[]) => (...args: unknown[]) => Promise<void>;

const IMPORT = /^import (type )?\{(.*?)\} from "(.*?)";$/gms;

/** Runs a program and compares its claims with its results. Modules are imported by the names that readers use. */
export async function runScript(code: string): Promise<readonly Claim[]> {
  const names = [...code.matchAll(IMPORT)].filter(([, type]) => type === undefined).map(([, , , from]) => from!);
  const modules: Record<string, unknown> = {};
  for (const name of new Set(names)) modules[name] = await import(/* @vite-ignore */ name);
  const claims: Claim[] = [];
  const claim = (answer: unknown, want: unknown): unknown => claims.push({ answer, want });
  await new AsyncFunction("modules", "claim", toProgram(code))(modules, claim);
  return claims;
}

/** Imports become destructuring, `expression; // → answer` a claim, and types disappear. */
function toProgram(code: string): string {
  const body = code
    .replace(IMPORT, (_, type: string | undefined, names: string, from: string) => {
      const values = names.split(",").filter((name) => !name.trim().startsWith("type "));
      return type === undefined ? `const {${values.join(",").replaceAll(" as ", ": ")}} = modules["${from}"];` : "";
    })
    .replace(/^(.*); \/\/ → (.*)$/gm, (_, expression, want) => `claim(${expression}, ${want});`);
  return `"use strict";\n${transformSync(body, { loader: "ts", target: "es2022" }).code}`;
}
