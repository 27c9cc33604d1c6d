// Calls and overload resolution. Every overload that fits is kept: with `dyn` arguments the choice falls at run time.

import type { Call, Expr } from "../ast/expr.ts";
import type { Overload } from "../call/overload.ts";
import { isDyn, isSameType } from "../types/compare-types.ts";
import { BOOL, DYN, ERROR, type Type } from "../value/type.ts";
import type { Reference } from "./checked.ts";
import type { Context } from "./context.ts";
import { noMatchingOverload, typeMismatch, undeclaredReference } from "./issues.ts";
import { qualifiedName, rootName } from "./names.ts";
import { checkOptionalSelect } from "./selects.ts";
import {
  accepts,
  type FunctionEntry,
  instantiate,
  type Resolution,
  recall,
  remember,
  type Signature,
} from "./signature.ts";

export function checkCall(cx: Context, expr: Call): Type {
  if (expr.function === "_?._") {
    return checkOptionalSelect(cx, expr);
  }
  const { target, args } = expr;
  const argTypes: Type[] = [];
  if (target !== undefined) {
    argTypes.push(ERROR); // the receiver's place, filled in when it turns out to be one
  }
  for (const arg of args) {
    argTypes.push(cx.visit(arg));
  }
  if (target === undefined) {
    const entry = cx.lookup.findFunction(expr.function);
    return entry === undefined ? undeclared(cx, expr) : resolve(cx, expr, entry, argTypes, false, false);
  }
  const qualified = findQualified(cx, target, expr.function);
  if (qualified !== undefined) {
    argTypes.shift();
    return resolve(cx, expr, qualified, argTypes, false, true);
  }
  argTypes[0] = cx.visit(target);
  const entry = cx.lookup.findFunction(expr.function);
  return entry === undefined ? undeclared(cx, expr) : resolve(cx, expr, entry, argTypes, true, false);
}

/** The function `a.b.f` when the receiver of `a.b.f()` is only the beginning of its name. */
function findQualified(cx: Context, target: Expr, name: string): FunctionEntry | undefined {
  if (target.kind !== "ident" && target.kind !== "select") {
    return undefined;
  }
  const root = rootName(target);
  if (root === undefined || !cx.lookup.mayBeFunction(root)) {
    return undefined;
  }
  const prefix = qualifiedName(target);
  return prefix === undefined ? undefined : cx.lookup.findFunction(`${prefix}.${name}`);
}

function undeclared(cx: Context, expr: Call): Type {
  cx.issues.push(undeclaredReference(cx.place(expr.id), expr.function, cx.container));
  return cx.setType(expr.id, ERROR);
}

function resolve(
  cx: Context,
  expr: Call,
  entry: FunctionEntry,
  argTypes: readonly Type[],
  member: boolean,
  qualified: boolean,
): Type {
  const candidates = member ? entry.members : entry.globals;
  const { signatures } = candidates;
  if (signatures.length > 0 && (entry.name === "_&&_" || entry.name === "_||_")) {
    return resolveLogical(cx, expr, signatures[0] as Signature, argTypes);
  }
  let resolution = cx.mixedComparisons ? recall(candidates, argTypes) : undefined;
  if (resolution !== undefined) {
    cx.substitution.reserve(candidates.paramCount);
  } else {
    resolution = match(cx, entry.name, signatures, argTypes);
    if (resolution === undefined) {
      const shown = argTypes.map((type) => cx.substitution.close(type));
      cx.issues.push(noMatchingOverload(cx.place(expr.id), entry.name, shown, member));
      return cx.setType(expr.id, ERROR);
    }
    if (cx.mixedComparisons) {
      remember(candidates, resolution);
    }
  }
  cx.setReference(expr.id, qualified ? resolution.qualified : resolution.reference);
  return cx.setType(expr.id, resolution.result);
}

/** A result without a type is none, in releases that have such. */
const typed = (type: Type): Type | undefined => (type.kind === "untyped" ? undefined : type);

/** All signatures that fit. */
function match(
  cx: Context,
  name: string,
  signatures: readonly Signature[],
  args: readonly Type[],
): Resolution | undefined {
  const { substitution } = cx;
  let first: Signature | undefined;
  let several: Overload[] | undefined;
  let result: Type | undefined;
  for (const signature of signatures) {
    if (signature.mixed && !cx.mixedComparisons) {
      continue;
    }
    // Overloads that do not fit use up type variable numbers too: they show in messages, where they should be the reference's.
    const base = substitution.reserve(signature.params.length);
    if (!accepts(signature, args, base, substitution)) {
      continue;
    }
    const type = signature.result.open
      ? substitution.apply(instantiate(signature.result, signature.params, base))
      : signature.result;
    if (first === undefined || result === undefined) {
      first = signature;
      result = typed(type);
      continue;
    }
    several ??= [first.overload];
    several.push(signature.overload);
    if (!isDyn(result) && !isSameType(type, result)) {
      result = DYN;
    }
  }
  if (first === undefined || result === undefined) {
    return undefined;
  }
  if (several === undefined) {
    return { args, result, reference: first.reference, qualified: first.qualified };
  }
  const reference: Reference = { kind: "function", name, overloads: several, qualified: false };
  return { args, result, reference, qualified: { ...reference, qualified: true } };
}

/** `&&` and `||` ask each operand for itself, so that the issue stands at the operand. */
function resolveLogical(cx: Context, expr: Call, signature: Signature, argTypes: readonly Type[]): Type {
  let ok = true;
  argTypes.forEach((type, i) => {
    if (!cx.substitution.assign(type, BOOL)) {
      cx.issues.push(typeMismatch(cx.place((expr.args[i] as Expr).id), BOOL, type));
      ok = false;
    }
  });
  if (!ok) {
    return cx.setType(expr.id, ERROR);
  }
  cx.setReference(expr.id, signature.reference);
  return cx.setType(expr.id, BOOL);
}
