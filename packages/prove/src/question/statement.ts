// Expressions of users: statements about everything that policies allow, and assumptions about requests.

import type { ValidatingAdmissionPolicy } from "@celadon/admission/policy";
import { type CompiledPolicy, compilePolicy } from "@celadon/admission/steps";
import type { KubeObject } from "@celadon/kube";
import type { SimulatedCluster } from "@celadon/simulator";
import { Evaluator } from "../evaluate/evaluate.ts";
import type { Path } from "../path/path.ts";
import { constantOf } from "../path/symbolic.ts";
import { PolicyRun } from "../request/policy-run.ts";
import type { SymbolicRequest } from "../request/symbolic-request.ts";
import type { Counterexample } from "./answer.ts";
import { evaluationsOf, review } from "./confirm.ts";

const EVERYTHING = [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*/*"] }];

/** A policy that denies what the expression does not hold for. */
export function statementPolicy(
  name: string,
  expression: string,
  resourceRules: readonly unknown[] = EVERYTHING,
): KubeObject {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name },
    spec: { matchConstraints: { resourceRules }, validations: [{ expression }] },
  } as unknown as KubeObject;
}

export function statementBinding(name: string): KubeObject {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name },
    spec: { policyName: name, validationActions: ["Deny"] },
  } as KubeObject;
}

/** The reason why an expression is no statement about requests; undefined if it is one. */
export function statementError(expression: string): string | undefined {
  const [validation] = compilePolicy(
    statementPolicy("a", expression) as unknown as ValidatingAdmissionPolicy,
  ).validations;
  return validation?.program === undefined ? (validation?.error ?? "no expression") : undefined;
}

/** An expression that holds for all requests in question. */
export class Assumption {
  readonly text: string;
  readonly #policy: KubeObject;
  readonly #compiled: CompiledPolicy;

  constructor(expression: string) {
    this.text = expression;
    this.#policy = statementPolicy("celadon-assumption", expression);
    this.#compiled = compilePolicy(this.#policy as unknown as ValidatingAdmissionPolicy);
  }

  holds(path: Path, request: SymbolicRequest): boolean {
    return new PolicyRun(this.#compiled, request, constantOf(null), new Evaluator(path)).validation(0) === true;
  }

  /** Whether the real pipeline says so too. */
  async isMet(simulated: SimulatedCluster, example: Counterexample): Promise<boolean> {
    const { name } = this.#compiled;
    const cluster = simulated.with({ put: [this.#policy, statementBinding(name)] });
    const evaluations = evaluationsOf(await review(cluster, example), name);
    return (
      evaluations.length > 0 &&
      evaluations.every(({ decisions }) => decisions.every(({ evaluation }) => evaluation === "admit"))
    );
  }
}
