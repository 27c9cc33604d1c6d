// Two sets of policies: whether one denies a request that the other allows, for every request at all. Verdicts are compared, not texts:
// match constraints, selectors, match conditions, params, failure policies and actions take part.

import type { MatchedTarget, Schemas } from "@celadon/admission/memory";
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "@celadon/admission/policy";
import { compilePolicy } from "@celadon/admission/steps";
import type { KubeObject } from "@celadon/kube";
import type { SimulatedCluster } from "@celadon/simulator";
import { INFEASIBLE } from "../path/choices.ts";
import type { Path } from "../path/path.ts";
import type { Symbolic } from "../path/symbolic.ts";
import { symbolicRequest } from "../request/symbolic-request.ts";
import type { Counterexample, ProofAnswer } from "./answer.ts";
import { isValid, modelOf, review } from "./confirm.ts";
import {
  type BoundPolicy,
  bound,
  mayMatch,
  readsOperation,
  type Scope,
  schemasOf,
  scopeTargets,
  withParams,
} from "./policies.ts";
import { type ProveOptions, type Reached, searchAll } from "./search-all.ts";
import { type Enforced, enforcedBy, SetRun } from "./set-run.ts";
import { statementBinding, statementPolicy } from "./statement.ts";

/** The second set beside the first. */
export type Relation = "equivalent" | "stricter" | "more-permissive" | "incomparable" | "unknown";

/** Both directions of a comparison; a counterexample is a request with different answers. */
export interface SetComparison {
  readonly relation: Relation;
  /** Whether the second set denies nothing that the first allows. */
  readonly newlyDenied: ProofAnswer;
  /** Whether the second set allows nothing that the first denies. */
  readonly newlyAllowed: ProofAnswer;
}

/** Compares what two clusters deny. */
export async function compareSets(
  old: SimulatedCluster,
  next: SimulatedCluster,
  options: ProveOptions = {},
): Promise<SetComparison> {
  const [one, other] = sidesOf(old, next);
  const newlyDenied = await differs(other, one, options);
  const newlyAllowed = await differs(one, other, options);
  return { relation: relationOf(newlyDenied.is, newlyAllowed.is), newlyDenied, newlyAllowed };
}

/** Whether an expression holds for every request that the policies of a cluster match and allow. */
export async function proveThat(
  simulated: SimulatedCluster,
  expression: string,
  options: ProveOptions = {},
): Promise<ProofAnswer> {
  const policies = policiesOf(simulated);
  if (policies.length === 0) return { is: "unknown", because: ["no validating policy is in force"] };
  const rules = policies.flatMap(({ policy }) => policy.policy.spec.matchConstraints?.resourceRules ?? []);
  const put = [statementPolicy(STATEMENT, expression, rules), statementBinding(STATEMENT)];
  const [one, other] = sidesOf(simulated, simulated.with({ put }));
  return differs(other, one, options);
}

const STATEMENT = "celadon-statement";

function relationOf(denied: ProofAnswer["is"], allowed: ProofAnswer["is"]): Relation {
  if (denied === "unknown" || allowed === "unknown") return "unknown";
  if (denied === "proved") return allowed === "proved" ? "equivalent" : "more-permissive";
  return allowed === "proved" ? "stricter" : "incomparable";
}

/** The policies of a set: those that the other set does not have in the same form, and the others. */
interface Side {
  readonly simulated: SimulatedCluster;
  readonly schemas: Schemas;
  readonly changed: readonly Enforced[];
  readonly same: readonly Enforced[];
  /** Bindings made up for policies that have none in either set. */
  readonly made: readonly KubeObject[];
}

function sidesOf(old: SimulatedCluster, next: SimulatedCluster): readonly [Side, Side] {
  const policies = [policiesOf(old), policiesOf(next)] as const;
  const unbound = new Set(
    [...policies[0], ...policies[1]]
      .map(({ policy: { name } }) => name)
      .filter((name) => policies.every((side) => side.every(({ policy, made }) => policy.name !== name || made))),
  );
  const enforcedIn = (side: readonly BoundPolicy[], simulated: SimulatedCluster): readonly Enforced[] => {
    const schemas = schemasOf(simulated);
    return side
      .filter(({ policy, made }) => made === undefined || unbound.has(policy.name))
      .flatMap((item) => enforcedBy(item, simulated, schemas));
  };
  const enforced = [enforcedIn(policies[0], old), enforcedIn(policies[1], next)] as const;
  const keys = enforced.map((side) => new Set(side.map(keyOfEnforced)));
  const sideOf = (index: 0 | 1, simulated: SimulatedCluster): Side => {
    const others = keys[1 - index] as ReadonlySet<string>;
    return {
      simulated,
      schemas: schemasOf(simulated),
      changed: enforced[index].filter((item) => !others.has(keyOfEnforced(item))),
      same: enforced[index].filter((item) => others.has(keyOfEnforced(item))),
      made: policies[index].flatMap(({ policy, made }) => (made && unbound.has(policy.name) ? [made] : [])),
    };
  };
  return [sideOf(0, old), sideOf(1, next)];
}

function policiesOf(simulated: SimulatedCluster): BoundPolicy[] {
  return simulated.manifests("policy").flatMap(({ object }) => {
    const resource = simulated.inForce(object);
    return resource === undefined ? [] : [bound(compilePolicy(resource as ValidatingAdmissionPolicy), simulated)];
  });
}

/** The same for policies that decide alike: messages are no part of a verdict. */
function keyOfEnforced({ bound: { policy }, binding, simulated }: Enforced): string {
  const { validations = [], ...spec } = policy.policy.spec;
  const texts = validations.map(({ expression }) => expression);
  const { validationActions: _, ...rest } = binding.spec;
  const params =
    policy.paramKind === undefined
      ? []
      : simulated.manifests().filter(({ object }) => object.kind === policy.paramKind?.kind);
  return JSON.stringify([policy.name, spec, texts, rest, params.map(({ object }) => object)]);
}

interface Differing extends Reached {
  readonly run: SetRun;
}

/** Whether `denying` denies nothing that `allowing` allows. */
async function differs(denying: Side, allowing: Side, options: ProveOptions): Promise<ProofAnswer> {
  if (rulesAsk([...denying.changed, ...allowing.changed], "CONNECT"))
    return { is: "unknown", because: ["CONNECT requests are not followed"] };
  const { targets, unknown } = scopeTargets(denying.changed, denying.schemas);
  if (targets.length + unknown.length === 0) return { is: "proved", assumptions: assumptionsOf(denying) };
  // Policies of both sets change nothing; they are only followed where they may hide a difference.
  if (allowing.changed.length > 0 || allowing.same.length === 0) {
    const first = await search(denying, allowing, allowing.changed, options);
    if (first.is !== "unknown" || allowing.same.length === 0) return first;
  }
  return search(denying, allowing, [...allowing.changed, ...allowing.same], options);
}

function search(
  denying: Side,
  allowing: Side,
  mustAllow: readonly Enforced[],
  options: ProveOptions,
): Promise<ProofAnswer> {
  const policies = [...denying.changed, ...mustAllow];
  const actions = policies.map(({ binding }) => notFoundAction(binding));
  const mayMiss = new Set(actions.filter((action) => action !== "")).size > 1;
  return searchAll<Differing>({
    simulated: denying.simulated,
    scope: scopeOfAll(denying, allowing),
    runs: (situation, reached) =>
      denying.changed.map((policy) => (path, assumption) => {
        const request = symbolicRequest(path, situation);
        const run = new SetRun(path, request, mayMiss);
        if (!mayReach(policy, situation.target)) throw INFEASIBLE;
        if (assumption?.holds(path, request) === false) throw INFEASIBLE;
        if (!run.denies(policy)) throw INFEASIBLE;
        reached();
        for (const other of mustAllow) if (mayReach(other, situation.target) && run.denies(other)) throw INFEASIBLE;
        return { request, run };
      }),
    wanted: () => true,
    confirm: (path, reached) => confirm(path, reached, denying, allowing, options),
    assumptions: [
      ...(mayMiss || !policies.some(({ bound: { policy } }) => policy.paramKind !== undefined)
        ? []
        : ["params that bindings refer to exist"]),
      ...assumptionsOf(denying),
    ],
    options,
  });
}

function notFoundAction({ spec: { paramRef } }: ValidatingAdmissionPolicyBinding): string {
  return paramRef === undefined ? "" : (paramRef.parameterNotFoundAction ?? "");
}

function assumptionsOf({ changed }: Side): readonly string[] {
  return rulesAsk(changed, "*") ? [...ASSUMPTIONS, "CONNECT requests are not looked at"] : ASSUMPTIONS;
}

function rulesAsk(policies: readonly Enforced[], wanted: string): boolean {
  return policies.some(({ bound: { policy } }) =>
    policy.policy.spec.matchConstraints?.resourceRules?.some(({ operations = [] }) =>
      operations.some((operation) => operation === wanted),
    ),
  );
}

function mayReach({ binding }: Enforced, target: MatchedTarget): boolean {
  return mayMatch(binding, target);
}

/** Kinds that a changed policy of the denying set matches; those first that the other set does not match. */
function scopeOfAll(denying: Side, allowing: Side): Scope {
  const all = scopeTargets(denying.changed, denying.schemas);
  const others = new Set(scopeTargets(allowing.changed, allowing.schemas).targets.map(keyOfTarget));
  const targets = [...all.targets].sort(
    (a, b) => Number(others.has(keyOfTarget(a))) - Number(others.has(keyOfTarget(b))),
  );
  const policies = [...denying.changed, ...allowing.changed];
  const isFixed =
    !policies.some(({ bound: { policy, bindings } }) => readsOperation(policy, bindings)) &&
    new Set(policies.map(operationsOf)).size === 1;
  const kept = targets.slice(0, MOST_KINDS);
  return {
    situations: kept.flatMap((target) => {
      const skipsUpdate = isFixed && target.operations.includes("CREATE") && target.operations.includes("UPDATE");
      return target.operations
        .filter((operation) => operation !== "UPDATE" || !skipsUpdate)
        .map((operation) => ({ target, operation }));
    }),
    leftOut: targets.length - kept.length,
    unknown: all.unknown,
  };
}

/** The number of kinds that are tried for policies with wildcards. */
const MOST_KINDS = 16;

function keyOfTarget({ resource, subresource, operations }: MatchedTarget): string {
  return JSON.stringify([resource, subresource, operations]);
}

/** All rules of a policy and its bindings: where they are the same on both sides, an update is matched as a creation is. */
function operationsOf({ bound: { policy }, binding }: Enforced): string {
  return JSON.stringify([policy.policy.spec.matchConstraints ?? null, binding.spec.matchResources ?? null]);
}

async function confirm(
  path: Path,
  { request, run }: Differing,
  denying: Side,
  allowing: Side,
  options: ProveOptions,
): Promise<Counterexample | undefined> {
  const [params] = run.params;
  const example = modelOf(path, request, params as Symbolic | undefined);
  if (example === undefined) return undefined;
  const denied = await review(withMade(denying, example), example);
  if (!isValid(denied) || denied.policies.allowed) {
    options.onUnconfirmed?.(example, denied);
    return undefined;
  }
  const allowed = await review(withMade(allowing, example), example);
  if (isValid(allowed) && allowed.policies.allowed) {
    const { status } = denied.policies;
    return { ...example, ...(status?.message && { message: status.message }) };
  }
  options.onUnconfirmed?.(example, allowed);
  return undefined;
}

function withMade({ simulated, made }: Side, { params }: Counterexample): SimulatedCluster {
  return made.length === 0 ? simulated : simulated.with({ put: made.map((binding) => withOwnParams(binding, params)) });
}

function withOwnParams(binding: KubeObject, params: KubeObject | undefined): KubeObject {
  const { paramRef } = binding.spec as { readonly paramRef?: object };
  return paramRef === undefined ? binding : withParams(binding, params);
}

const ASSUMPTIONS: readonly string[] = [
  "objects as they are after mutation",
  "warnings and audit annotations are not compared",
  "every evaluation stays within its cost budget",
];
