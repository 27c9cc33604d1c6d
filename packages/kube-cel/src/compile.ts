// From text to a program, failing as the API server words it. Upstream: apiserver pkg/admission/plugin/cel/compile.go,
// pkg/cel/errors.go.

import {
  type Checked,
  displayIssues,
  type Env,
  type Issue,
  type Mode,
  PlanIssue,
  type Program,
  type Source,
  type Type,
} from "@celadon/cel";

/** Why an expression is not accepted. */
export interface CompileFailure {
  readonly ok: false;
  /**
   * - `compilation`: syntax, types and validators
   * - `type`: the result is not of a type that is wanted there
   * - `program`: a constant can never work
   */
  readonly phase: "compilation" | "type" | "program";
  /** How upstream classes it: `internal` is a failure to make a program. */
  readonly kind: "invalid" | "internal";
  /** As shown to users: `compilation failed: ERROR: <input>:1:5: …`. */
  readonly message: string;
  readonly issues: readonly Issue[];
}

export interface CompiledExpression {
  readonly ok: true;
  readonly program: Program;
  readonly checked: Checked;
}

export interface CompileOptions {
  /** Types that the result may have; anything when absent. */
  readonly returnTypes?: readonly Type[];
  readonly mode?: Mode;
}

export function compileExpression(
  env: Env,
  text: string,
  options: CompileOptions = {},
): CompiledExpression | CompileFailure {
  const source: Source = { name: "<input>", text };
  const parsed = env.parse(source);
  if (parsed.ast === undefined || parsed.issues.length > 0) return compilationFailure(parsed.issues, source);
  const checked = env.check(parsed.ast);
  if (checked.issues.length > 0) return compilationFailure(checked.issues, source);
  const { returnTypes } = options;
  if (
    returnTypes !== undefined &&
    !returnTypes.some((type) => type.kind === "any" || String(type) === String(checked.type))
  ) {
    return {
      ok: false,
      phase: "type",
      kind: "invalid",
      message: mustEvaluateTo(returnTypes, checked.type),
      issues: [],
    };
  }
  const program = env.plan(checked, options.mode === undefined ? {} : { mode: options.mode });
  if (program instanceof PlanIssue) {
    const message = `program instantiation failed: ${program.message}`;
    return { ok: false, phase: "program", kind: "internal", message, issues: [program.toIssue(parsed.ast)] };
  }
  return { ok: true, program, checked };
}

function compilationFailure(issues: readonly Issue[], source: Source): CompileFailure {
  const message = `compilation failed: ${displayIssues(issues, source)}`;
  return { ok: false, phase: "compilation", kind: "invalid", message, issues };
}

function mustEvaluateTo(wanted: readonly Type[], type: Type): string {
  const [only] = wanted;
  if (wanted.length === 1) return `must evaluate to ${String(only)} but got ${String(type)}`;
  return `must evaluate to one of [${wanted.map(String).join(" ")}] but got ${String(type)}`;
}
