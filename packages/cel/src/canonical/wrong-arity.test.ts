// Imported trees may call operators with any number of operands. Nothing throws; they have no overload.

import { expect, test } from "vitest";
import { unparse } from "../ast/unparse.ts";
import { createEnv, type Env } from "../env.ts";
import { bindingsLibrary, optionalLibrary } from "../lib/index.ts";
import type { Program } from "../run/program.ts";
import { DYN } from "../value/type.ts";
import { type CanonicalExpr, parsedFromCanonical } from "./canonical.ts";

const env: Env = createEnv({ variables: { x: DYN }, libraries: [optionalLibrary(), bindingsLibrary()] });
const OPERATORS: Readonly<Record<string, number>> = {
  "_&&_": 2,
  "_||_": 2,
  "_==_": 2,
  "_!=_": 2,
  "_?_:_": 3,
  "_[_]": 2,
  "_[?_]": 2,
  "_?._": 2,
  "_+_": 2,
  "_<_": 2,
  "@in": 2,
  "!_": 1,
  "-_": 1,
  "cel.@block": 2,
};

test.each(Object.entries(OPERATORS))("%s", (name, operands) => {
  for (let count = 0; count <= 4; count++) {
    if (count === operands && name !== "cel.@block") continue;
    const args: CanonicalExpr[] = Array.from({ length: count }, (_, i) => ({ id: i + 2, identExpr: { name: "x" } }));
    const ast = parsedFromCanonical({ expr: { id: 1, callExpr: { function: name, args } } });
    expect(typeof unparse(ast)).toBe("string");
    env.check(ast);
    for (const mode of ["interpreted", "compiled"] as const) {
      const { error } = (env.plan(ast, { mode }) as Program).evaluate({ x: true });
      expect(error?.message, `${count} operands, ${mode}`).toContain("no such overload");
    }
  }
});
