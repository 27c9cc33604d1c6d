// From verdicts to what happens: which failures deny, warn or are audited. All failures are kept; the first that denies is the
// one the API server returns. Upstream: apiserver pkg/admission/plugin/policy/validating/dispatcher.go.

import { type KubeObject, nameOf, namespaceOf } from "@celadon/kube";
import type { Status } from "@celadon/kube/status";
import type { CompiledBinding, CompiledPolicy } from "../compile/compile.ts";
import type { Evaluation, ValidationDecision } from "../evaluate/evaluate.ts";
import { cutBytes } from "../evaluate/go-text.ts";
import type { ValidationAction, ValidationReason } from "../policy.ts";
import type { MissingParams } from "./bind.ts";
import type { PolicyOutcome, Verdicts } from "./verdict.ts";

/** The policy, binding and validation that a failure comes from. */
export type FailureSource = ValidationDecision["source"] | "configuration" | "auditAnnotation";

/** A validation that failed, or could not be evaluated. */
export interface Failure {
  readonly policy: string;
  /** Absent for errors of the policy itself. */
  readonly binding?: string;
  /** The params it was evaluated with, as `namespace/name`. */
  readonly params?: string;
  readonly source: FailureSource;
  /** A false result, or an error. */
  readonly kind: "denial" | "error";
  /** Set where the policy has a paramKind, and there were no params. */
  readonly missingParams?: MissingParams;
  /** The number of the validation (or audit annotation); 0 where a group failed as a whole. */
  readonly index: number;
  /** The number of the match condition that failed. */
  readonly condition?: number;
  readonly message: string;
  readonly reason: ValidationReason;
  /** The validation's name and HTTP status that gates give. */
  readonly name?: string;
  readonly code?: number;
  /** The binding's actions. Errors of configuration and of audit annotations deny under every binding. */
  readonly actions: readonly ValidationAction[];
  /** The warning that it causes. */
  readonly warning?: string;
  /** False for errors that failurePolicy ignores. */
  readonly enforced: boolean;
  /** True for the one the API server would return. */
  readonly returned: boolean;
}

export interface Decided {
  readonly failures: readonly Failure[];
  /** Texts for the Warning header, before limits. */
  readonly warnings: readonly string[];
  readonly auditAnnotations: ReadonlyMap<string, string>;
  readonly aborted?: Status;
}

const FAILURE_KEY = "validation.policy.admission.k8s.io/validation_failure";
const MAX_ANNOTATION_BYTES = 10 * 1024;
const DENY: readonly ValidationAction[] = ["Deny"];

/** Decides by the verdicts: failures that deny, warnings, audit annotations. */
export function decide(verdicts: Verdicts): Decided {
  const decider = new Decider();
  for (const outcome of verdicts.policies) decider.policy(outcome);
  return {
    failures: decider.failures,
    warnings: decider.warnings,
    auditAnnotations: decider.auditAnnotations,
    ...(verdicts.aborted && { aborted: verdicts.aborted }),
  };
}

class Decider {
  readonly failures: Failure[] = [];
  readonly warnings: string[] = [];
  readonly auditAnnotations = new Map<string, string>();
  #denied = false;
  /** Annotations of the policy at hand. */
  readonly #published = new Map<string, string[]>();

  policy(outcome: PolicyOutcome): void {
    const { policy } = outcome;
    if (outcome.outcome === "error") this.#configuration(policy, undefined, outcome.message);
    if (outcome.outcome !== "matched") return;
    for (const entry of outcome.bindings) {
      if (entry.outcome === "error") this.#configuration(policy, entry.binding, entry.message, entry.missing);
      if (entry.outcome !== "evaluated") continue;
      for (let i = 0; i < entry.evaluations.length; i++) {
        this.#evaluation(policy, entry.binding, entry.params[i] ?? null, entry.evaluations[i]!);
      }
    }
    if (this.#published.size === 0) return;
    for (const [key, values] of this.#published) this.#annotate(`${policy.name}/${key}`, values.join(", "));
    this.#published.clear();
  }

  #evaluation(
    policy: CompiledPolicy,
    binding: CompiledBinding,
    params: KubeObject | null,
    evaluation: Evaluation,
  ): void {
    const actions = binding.binding.spec.validationActions ?? [];
    for (const decision of evaluation.decisions) {
      if (decision.evaluation === "admit") continue;
      const { index, condition, message, source } = decision;
      const enforced = decision.action === "deny";
      const kind = decision.evaluation === "error" ? "error" : "denial";
      const warns = enforced && actions.includes("Warn");
      const by = binding.name === "" ? "" : ` with binding '${binding.name}'`;
      const warning = `Validation failed for ValidatingAdmissionPolicy '${policy.name}'${by}: ${message}`;
      this.#fail({
        policy: policy.name,
        ...(binding.name !== "" && { binding: binding.name }),
        ...paramsText(params),
        ...withoutParamRef(policy, binding),
        source,
        kind,
        index,
        ...(condition !== undefined && { condition }),
        message,
        reason: decision.reason ?? "Invalid",
        ...(decision.name !== undefined && { name: decision.name }),
        ...(decision.code !== undefined && { code: decision.code }),
        actions,
        enforced,
        ...(warns && { warning }),
      });
      if (warns) this.warnings.push(warning);
      if (enforced && actions.includes("Audit")) this.#annotateFailure(binding, actions, decision);
    }
    if (evaluation.auditAnnotations.length === 0) return;
    for (const [index, { key, action, value = "", error = "" }] of evaluation.auditAnnotations.entries()) {
      if (action === "publish") publish(this.#published, key, cutBytes(value, MAX_ANNOTATION_BYTES));
      if (action !== "error") continue;
      const source = "auditAnnotation";
      const who = {
        policy: policy.name,
        binding: binding.name,
        ...paramsText(params),
        ...withoutParamRef(policy, binding),
      };
      this.#fail({
        ...who,
        source,
        kind: "error",
        index,
        message: error,
        reason: "Invalid",
        actions: DENY,
        enforced: true,
      });
    }
  }

  #annotateFailure(
    { name, binding }: CompiledBinding,
    actions: readonly ValidationAction[],
    { index, message }: ValidationDecision,
  ): void {
    const failure = {
      message,
      policy: binding.spec.policyName ?? "",
      binding: name,
      expressionIndex: index,
      validationActions: actions,
    };
    this.#annotate(FAILURE_KEY, `[${htmlJson(failure)}]`);
  }

  #configuration(
    policy: CompiledPolicy,
    binding: CompiledBinding | undefined,
    cause: string,
    missingParams?: MissingParams,
  ): void {
    const { failurePolicy } = policy;
    const prefix = binding === undefined ? "failed to configure policy: " : "failed to configure binding: ";
    const known = failurePolicy === "Fail" || failurePolicy === "Ignore";
    this.#fail({
      policy: policy.name,
      ...(binding && { binding: binding.name }),
      ...(missingParams && { missingParams }),
      source: "configuration",
      kind: "error",
      index: 0,
      message: known ? prefix + cause : `unrecognized failure policy: '${String(failurePolicy)}'`,
      reason: "Invalid",
      actions: DENY,
      enforced: failurePolicy !== "Ignore",
    });
  }

  #fail(failure: Omit<Failure, "returned">): void {
    const returned = !this.#denied && failure.enforced && failure.actions.includes("Deny");
    if (returned) this.#denied = true;
    this.failures.push({ ...failure, returned });
  }

  // An annotation keeps the first value it is given.
  #annotate(key: string, value: string): void {
    if (!this.auditAnnotations.has(key)) this.auditAnnotations.set(key, value);
  }
}

function publish(published: Map<string, string[]>, key: string, value: string): void {
  const values = published.get(key);
  if (values === undefined) published.set(key, [value]);
  else if (!values.includes(value)) values.push(value);
}

function paramsText(params: KubeObject | null): { params?: string } {
  if (params === null) return {};
  const namespace = namespaceOf(params);
  return { params: namespace === "" ? nameOf(params) : `${namespace}/${nameOf(params)}` };
}

const NO_PARAM_REF: Pick<Failure, "missingParams"> = { missingParams: { cause: "no paramRef" } };

function withoutParamRef({ paramKind }: CompiledPolicy, { paramRef }: CompiledBinding): Pick<Failure, "missingParams"> {
  return paramKind !== undefined && paramRef === undefined ? NO_PARAM_REF : {};
}

// encoding/json with HTML escaping, keys in the order given.
function htmlJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
