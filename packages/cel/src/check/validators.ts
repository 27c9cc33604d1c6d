// Checks of an expression beyond its types. They run in order after a check without issues, and all of them report;
// names and messages are the reference's. Parsers of literals are passed in.

import type { Call, Expr } from "../ast/expr.ts";
import type { Issue } from "../ast/issue.ts";
import { isEquivalentType } from "../types/compare-types.ts";
import { DYN, isOptionalType, type Type } from "../value/type.ts";
import type { Value } from "../value/value.ts";
import type { Checked } from "./checked.ts";
import { issue, typeMismatch } from "./issues.ts";
import { walk } from "./walk.ts";

/** An additional check of a checked tree, such as for regular expressions that are constants. */
export interface Validator {
  /** Unique in an environment: of two with the same name the first counts. */
  readonly name: string;
  validate(checked: Checked, report: (issue: Issue) => void): void;
}

/** Returns the findings of the validators; nothing when the check itself found something. */
export function validate(checked: Checked, validators: readonly Validator[]): readonly Issue[] {
  const found: Issue[] = [];
  if (checked.issues.length > 0) {
    return found;
  }
  const names = new Set<string>();
  for (const validator of validators) {
    if (!names.has(validator.name)) {
      names.add(validator.name);
      validator.validate(checked, (reported) => void found.push(reported));
    }
  }
  return found;
}

/** `duration('…')` with a constant that is not a duration. `accepts` returns whether the conversion would succeed. */
export function durationLiterals(accepts: (literal: Value) => boolean): Validator {
  return literalArgument("duration", accepts);
}

export function timestampLiterals(accepts: (literal: Value) => boolean): Validator {
  return literalArgument("timestamp", accepts);
}

/**
 * `s.matches('…')` with a pattern that does not compile. The reference checks the first argument, which in the global
 * form `matches(s, '…')` is the string, not the pattern.
 */
export function regexLiterals(compiles: (pattern: string) => boolean): Validator {
  return literalArgument("matches", (literal) => typeof literal !== "string" || compiles(literal));
}

function literalArgument(name: string, accepts: (literal: Value) => boolean): Validator {
  return {
    name: `cel.validator.${name}`,
    validate(checked, report) {
      walk(checked.ast.expr, (expr) => {
        const literal = expr.kind === "call" && functionName(checked, expr) === name ? expr.args[0] : undefined;
        if (literal?.kind === "literal" && !accepts(literal.value)) {
          report(issue(`invalid_${name}`, checked.ast.spans.get(literal.id), `invalid ${name} argument`));
        }
      });
    },
  };
}

/** Requires elements of list and map literals to have the same type, except inside calls of the exempt functions. */
export function homogeneousLiterals(exemptFunctions: readonly string[] = ["format"]): Validator {
  return {
    name: "cel.validator.homogeneous_literals",
    validate(checked, report) {
      const isExempt = (ancestor: Expr): boolean =>
        ancestor.kind === "call" && exemptFunctions.includes(functionName(checked, ancestor));
      walk(checked.ast.expr, (expr, ancestors) => {
        if (expr.kind === "list" && !ancestors.some(isExempt)) {
          const pairs = expr.elements.map(
            (element, i): Typed => [element, contentType(checked, element, expr.optional.includes(i))],
          );
          reportMixed(checked, pairs, report, true);
        }
      });
      walk(checked.ast.expr, (expr, ancestors) => {
        if (expr.kind === "map" && !ancestors.some(isExempt)) {
          const [first] = expr.entries;
          for (const entry of expr.entries) {
            const keys = [first?.key ?? entry.key, entry.key].map(
              (key): Typed => [key, contentType(checked, key, false)],
            );
            reportMixed(checked, keys, report, false);
            const values = [first ?? entry, entry].map(
              ({ value, optional }): Typed => [value, contentType(checked, value, optional)],
            );
            reportMixed(checked, values, report, false);
          }
        }
      });
    },
  };
}

type Typed = readonly [expr: Expr, type: Type];

/** Reports what differs from the first; only the first such element of a list. */
function reportMixed(
  checked: Checked,
  elements: readonly Typed[],
  report: (issue: Issue) => void,
  once: boolean,
): void {
  const expected = elements[0]?.[1];
  for (const [expr, type] of elements) {
    if (expected !== undefined && elements[0]?.[0] !== expr && !isEquivalentType(expected, type)) {
      report(typeMismatch(checked.ast.spans.get(expr.id), expected, type));
      if (once) {
        return;
      }
    }
  }
}

function contentType(checked: Checked, expr: Expr, optional: boolean): Type {
  const type = checked.types.get(expr.id) ?? DYN;
  return optional && isOptionalType(type) ? (type.params[0] ?? DYN) : type;
}

/** At most `limit` loops inside each other; a fold over `[]`, which is how `cel.bind` is written, is no loop. */
export function comprehensionNesting(limit: number): Validator {
  return {
    name: "cel.validator.comprehension_nesting_limit",
    validate(checked, report) {
      walk(checked.ast.expr, (expr, ancestors) => {
        if (expr.kind === "comprehension" && ancestors.filter(isLoop).length + (isLoop(expr) ? 1 : 0) > limit) {
          report(issue("nesting_limit", checked.ast.spans.get(expr.id), "comprehension exceeds nesting limit"));
        }
      });
    },
  };
}

function isLoop(expr: Expr): boolean {
  return expr.kind === "comprehension" && !(expr.range.kind === "list" && expr.range.elements.length === 0);
}

/** The name a call was resolved to. */
function functionName(checked: Checked, call: Call): string {
  return checked.references.get(call.id)?.name ?? call.function;
}
