// Finds `ip('…')` and `cidr('…')` with a constant that is neither, when an expression is compiled. Upstream: cel-go
// ext/network.go.

import { issue } from "../check/issues.ts";
import type { Validator } from "../check/validators.ts";
import { walk } from "../check/walk.ts";
import { type CelError, isError } from "../value/error.ts";

type Convert = (text: string) => unknown | CelError;

export function networkLiterals(toIp: Convert, toCidr: Convert): readonly Validator[] {
  return [literalArgument("ip", toIp), literalArgument("cidr", toCidr)];
}

function literalArgument(name: string, convert: Convert): Validator {
  return {
    name: `cel.validator.network.${name}`,
    validate(checked, report) {
      walk(checked.ast.expr, (expr) => {
        if (expr.kind !== "call" || expr.function !== name) return;
        const literal = expr.args[0];
        if (literal?.kind !== "literal" || typeof literal.value !== "string") return;
        const result = convert(literal.value);
        if (!isError(result)) return;
        const message = `invalid ${name} argument: ${result.message}`;
        report(issue(`invalid_${name}`, checked.ast.spans.get(literal.id), message));
      });
    },
  };
}
