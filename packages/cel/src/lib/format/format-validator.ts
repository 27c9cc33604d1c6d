// Finds mistakes in `'literal'.format([…])` when an expression is compiled: invalid clauses, arguments that are missing,
// left over or of a type the clause does not take. Words and places are upstream's (cel-go ext/formatting.go).

import type { Call, Expr } from "../../ast/expr.ts";
import type { Checked } from "../../check/checked.ts";
import { issue } from "../../check/issues.ts";
import type { Validator } from "../../check/validators.ts";
import { walk } from "../../check/walk.ts";
import { DYN, type Kind, type Type } from "../../value/type.ts";
import { FORMAT } from "./format.ts";
import { type FormatVerb, readFormat } from "./format-clauses.ts";
import { LEGACY_FORMAT } from "./format-legacy.ts";
import { type Dialect, missingArgumentMessage, refusalOf } from "./format-string.ts";

/** Before version 4 of the strings library. */
export const legacyFormatLiterals: Validator = formatLiterals(LEGACY_FORMAT);
/** Since version 4. */
export const standardFormatLiterals: Validator = formatLiterals(FORMAT);

/** The validator that a version of the strings library brings; version 0 has no `format`. */
export function formatValidator(version: number): Validator | undefined {
  if (version < 1) return undefined;
  return version < 4 ? legacyFormatLiterals : standardFormatLiterals;
}

function formatLiterals(dialect: Dialect): Validator {
  return {
    name: "cel.validator.string_format",
    validate(checked, report) {
      walk(checked.ast.expr, (expr) => {
        const found = expr.kind === "call" ? findMistake(checked, expr, dialect) : undefined;
        if (found !== undefined) report(issue("invalid_format", checked.ast.spans.get(found.id), found.message));
      });
    },
  };
}

interface Mistake {
  /** The node to point at. */
  readonly id: number;
  readonly message: string;
}

/** The first mistake in a call, if it is one of `format` with a constant text and a list of arguments. */
function findMistake(checked: Checked, call: Call, dialect: Dialect): Mistake | undefined {
  const args = call.args[0];
  if (!isStringFormat(checked, call) || args?.kind !== "list" || call.args.length !== 1) return undefined;
  if (call.target?.kind !== "literal" || typeof call.target.value !== "string") return undefined;

  const { clauses, failure } = readFormat(call.target.value);
  for (const [i, { verb }] of clauses.entries()) {
    const argument = args.elements[i];
    if (argument === undefined) return { id: call.id, message: missingArgumentMessage(i) };
    const refused = findRefused(checked, argument, verb, dialect);
    if (refused !== undefined) {
      const message = refusalOf(dialect[verb], typeOf(checked, refused).name);
      return { id: refused.id, message: `error during formatting: ${message}` };
    }
  }
  if (failure !== undefined) {
    const missing = !failure.atEnd && clauses.length >= args.elements.length;
    return { id: call.id, message: missing ? missingArgumentMessage(clauses.length) : failure.message };
  }
  if (args.elements.length <= clauses.length) return undefined;
  const counts = `(expected ${clauses.length}, got ${args.elements.length})`;
  return { id: call.id, message: `too many arguments supplied to string.format ${counts}` };
}

function isStringFormat(checked: Checked, call: Call): boolean {
  if (call.function !== "format") return false;
  const reference = checked.references.get(call.id);
  return reference?.kind !== "function" || reference.overloads.some((overload) => overload.id === "string_format");
}

/** The argument that the clause does not accept; for `%s`, the part of a literal with the wrong type. */
function findRefused(checked: Checked, expr: Expr, verb: FormatVerb, dialect: Dialect): Expr | undefined {
  const kind = kindOf(typeOf(checked, expr));
  if (kind !== "dyn" && !dialect[verb].kinds.includes(kind)) return expr;
  if (verb !== "s") return undefined;
  for (const part of partsOf(expr)) {
    const refused = findRefused(checked, part, verb, dialect);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

function partsOf(expr: Expr): readonly Expr[] {
  if (expr.kind === "list") return expr.elements;
  return expr.kind === "map" ? expr.entries.flatMap(({ key, value }) => [key, value]) : [];
}

const typeOf = (checked: Checked, expr: Expr): Type => checked.types.get(expr.id) ?? DYN;

/** A wrapper is a kind of its wrapped type. */
const kindOf = (type: Type): Kind => (type.kind === "wrapper" ? (type.params[0]?.kind ?? "dyn") : type.kind);
