// Where in the data an expression reads: `c.image` in the third round of a loop over `object.spec.containers` is
// `spec.containers[2].image`.

import type { Comprehension, Expr } from "@celadon/cel";
import type { Scope } from "./recording.ts";

export interface DataPath {
  /** The variable it begins at: `object`, `oldObject`, `params`, `request`, … */
  readonly root: string;
  readonly path: readonly (string | number)[];
}

/** As people write it. The object itself needs no name. */
export function dataPathText({ root, path }: DataPath): string {
  const text = path
    .map((part) => (typeof part === "number" ? `[${part}]` : IDENTIFIER.test(part) ? `.${part}` : `['${part}']`))
    .join("");
  if (root !== "object") return root + text;
  return text === "" ? root : text.replace(/^\./, "");
}

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Undefined for what is computed rather than read. */
export function dataPathOf(expr: Expr, scope: Scope, loops: ReadonlyMap<number, Comprehension>): DataPath | undefined {
  switch (expr.kind) {
    case "ident":
      return rootOf(expr.name, scope, loops);
    case "select": {
      const base = dataPathOf(expr.operand, scope, loops);
      return base && { root: base.root, path: [...base.path, expr.field] };
    }
    case "call": {
      const [operand, index] = expr.args;
      if (!ACCESS.has(expr.function) || operand === undefined || index?.kind !== "literal") return undefined;
      const { value } = index;
      const base = dataPathOf(operand, scope, loops);
      return base && (typeof value === "number" || typeof value === "string")
        ? { root: base.root, path: [...base.path, value] }
        : undefined;
    }
    default:
      return undefined;
  }
}

const ACCESS: ReadonlySet<string> = new Set(["_[_]", "_[?_]", "_?._"]);

function rootOf(name: string, scope: Scope, loops: ReadonlyMap<number, Comprehension>): DataPath | undefined {
  for (let one: Scope | undefined = scope; one?.loop !== undefined; one = one.parent) {
    const loop = loops.get(one.loop);
    if (loop === undefined || one.parent === undefined) continue;
    if (loop.iterVar !== name && loop.iterVar2 !== name) continue;
    // The first of two variables is an index or key, and so is the only one over a map: they name no place of their own.
    const isValue = loop.iterVar2 === "" ? isListRange(loop, one.parent) : loop.iterVar2 === name;
    const base = isValue ? dataPathOf(loop.range, one.parent, loops) : undefined;
    return base && { root: base.root, path: [...base.path, one.index] };
  }
  return name.startsWith("@") ? undefined : { root: name, path: [] };
}

function isListRange({ range }: Comprehension, scope: Scope): boolean {
  for (let one: Scope | undefined = scope; one !== undefined; one = one.parent) {
    const known = one.values.get(range.id);
    if (known !== undefined) return Array.isArray(known.value);
  }
  return false;
}
