// A rule: a CEL expression over one attribute value (`self`) and the request (`cr`), compiled as approver-policy compiles it.
// Upstream: approver-policy pkg/internal/approver/validation/validator.go.

import {
  createEnv,
  type Env,
  type EvaluationResult,
  type Issue,
  type Program,
  type Recorder,
  STRING,
} from "@celadon/cel";
import { stringsLibrary } from "@celadon/cel/lib";
import { Invalid } from "@celadon/kube/errors";
import type { CertificateRequest } from "../resource.ts";
import { REQUEST, requestValue, ruleTypes } from "./request-value.ts";
import { serviceAccountLibrary } from "./service-account.ts";

/** The cost limit of one rule for one value. */
export const RULE_COST_LIMIT = 1_000_000;

/** The standard library, the string extensions and service accounts; none of Kubernetes' libraries. */
export const RULE_ENVIRONMENT: Env = createEnv({
  variables: { self: STRING, cr: REQUEST },
  libraries: [stringsLibrary(), serviceAccountLibrary],
  provider: ruleTypes,
  limits: { cost: RULE_COST_LIMIT },
});

/** A rule of a policy, compiled. */
export class Rule {
  readonly text: string;
  readonly program: Program;

  constructor(text: string, program: Program) {
    this.text = text;
    this.program = program;
  }

  /** Whether the rule holds for a value; an error's text when evaluation failed. */
  holds(self: string, request: CertificateRequest): boolean | Invalid {
    return answerOf(this.evaluate(self, request));
  }

  evaluate(self: string, request: CertificateRequest, recorder?: Recorder): EvaluationResult {
    const variables = { self, cr: requestValue(request) };
    return recorder === undefined ? this.program.evaluate(variables) : this.program.evaluate(variables, { recorder });
  }
}

export function answerOf({ value, error }: EvaluationResult): boolean | Invalid {
  return error === undefined ? value === true : new Invalid(error.message);
}

/** A rule that does not compile. */
export class InvalidRule extends Invalid {
  readonly issues: readonly Issue[];

  constructor(message: string, issues: readonly Issue[]) {
    super(message);
    this.issues = issues;
  }
}

/** The compiled rule, or its error. */
export function compileRule(text: string): Rule | InvalidRule {
  // Exactly bool: dyn might be anything when it is evaluated.
  const compilation = RULE_ENVIRONMENT.compile(text, { accepts: ({ kind }) => kind === "bool" });
  if (compilation.ok) return new Rule(text, compilation.program);
  const { stage, checked, issues } = compilation;
  if (stage !== "type") return new InvalidRule(compilation.toString(), issues);
  const message = `got ${checked?.type}, wanted bool result type`;
  return new InvalidRule(
    message,
    issues.map((issue) => ({ ...issue, message })),
  );
}
