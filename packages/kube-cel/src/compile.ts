// From text to a program, failing as the API server words it. Upstream: apiserver pkg/admission/plugin/cel/compile.go,
// pkg/cel/errors.go.

import type { Checked, Env, Issue, Mode, Program, Type } from "@celadon/cel";

/** Why an expression is not accepted. */
export interface CompileFailure {
  readonly ok: false;
  /**
   * - `compilation`: syntax, types and validators
   * - `type`: the result is not of a type that is wanted there
   * - `program`: a constant can never work
   */
  readonly phase: "compilation" | "type" | "program";
  /** The class of the error upstream: `internal` is a failure to make a program. */
  readonly kind: "invalid" | "internal";
  /** The message as users see it: `compilation failed: ERROR: <input>:1:5: …`. */
  readonly message: string;
  readonly issues: readonly Issue[];
  /** The checked tree, where only its type or the program is the problem. */
  readonly checked?: Checked;
}

/** An expression that the API server accepts. */
export interface CompiledExpression {
  readonly ok: true;
  readonly program: Program;
  readonly checked: Checked;
}

/** Options for compiling an expression. */
export interface CompileExpressionOptions {
  /** Types that the result may have; anything when absent. */
  readonly returnTypes?: readonly Type[];
  readonly mode?: Mode;
}

/** Compiles an expression as the API server does, or returns its error message. */
export function compileExpression(
  env: Env,
  text: string,
  { returnTypes, mode }: CompileExpressionOptions = {},
): CompiledExpression | CompileFailure {
  const compiled = env.compile(text, {
    ...(returnTypes && { accepts: (type: Type): boolean => isOneOf(returnTypes, type) }),
    ...(mode && { mode }),
  });
  if (compiled.ok) return { ok: true, program: compiled.program, checked: compiled.checked };
  const { issues, checked } = compiled;
  const rejected = { ok: false, ...(checked && { checked }) } as const;
  switch (compiled.stage) {
    case "parse":
    case "check":
      return {
        ...rejected,
        phase: "compilation",
        kind: "invalid",
        message: `compilation failed: ${compiled}`,
        issues,
      };
    case "type": {
      const message = mustEvaluateTo(returnTypes ?? [], checked!.type);
      return {
        ...rejected,
        phase: "type",
        kind: "invalid",
        message,
        issues: issues.map((issue) => ({ ...issue, message })),
      };
    }
    case "plan": {
      const reason =
        issues[0]?.code === "untyped_node" ? "unexpected compilation error" : "program instantiation failed";
      const message = `${reason}: ${issues.map((issue) => issue.message).join()}`;
      return { ...rejected, phase: "program", kind: "internal", message, issues };
    }
  }
}

/** Upstream compares the names of types, so that dyn is wanted only where it says so. */
function isOneOf(wanted: readonly Type[], type: Type): boolean {
  return wanted.some((item) => item.kind === "any" || String(item) === String(type));
}

function mustEvaluateTo(wanted: readonly Type[], type: Type): string {
  const [only] = wanted;
  if (wanted.length === 1) return `must evaluate to ${String(only)} but got ${String(type)}`;
  return `must evaluate to one of [${wanted.map(String).join(" ")}] but got ${String(type)}`;
}
