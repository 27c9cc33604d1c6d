// A policy set: everything compiled, indexed by group, resource and operation, and never changed. A change makes a new set
// that shares what it did not touch; swapping one for the other is an assignment, and requests under way keep theirs.

import { Invalid, nameOf, parseGroupVersion } from "@celadon/kube";
import { compileBinding, type CompiledBinding, type CompiledPolicy, compilePolicy } from "./compile.ts";
import type { ResourceMapper } from "./hosts.ts";
import { exemptionOf, isStatic } from "./match/exempt.ts";
import { EMPTY_INDEX, type PolicyIndex } from "./policy-index.ts";
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "./policy.ts";
import type { AdmissionRequest } from "./request.ts";

/** A policy with its bindings, in the order they are asked. */
export interface PolicyEntry {
  readonly policy: CompiledPolicy;
  readonly bindings: readonly CompiledBinding[];
}

export type PolicyResource = ValidatingAdmissionPolicy | ValidatingAdmissionPolicyBinding;

export interface PolicyChange {
  /** Added, or replacing what has the same kind and name. */
  readonly put?: Iterable<PolicyResource>;
  readonly remove?: Iterable<{ readonly kind: PolicyResource["kind"]; readonly name: string }>;
}

interface State {
  readonly policies: ReadonlyMap<string, CompiledPolicy>;
  readonly bindings: ReadonlyMap<string, CompiledBinding>;
  /** Bindings by the policy they name, whether it exists or not. */
  readonly bound: ReadonlyMap<string, readonly CompiledBinding[]>;
  readonly entries: ReadonlyMap<string, PolicyEntry>;
  readonly index: PolicyIndex<PolicyEntry>;
}

export function createPolicySet(resources: Iterable<PolicyResource> = []): PolicySet {
  return EMPTY.with({ put: resources });
}

export class PolicySet {
  readonly #state: State;

  /** Use createPolicySet, or `with` of a set there is. */
  constructor(state: State) {
    this.#state = state;
  }

  /** Policies that have a binding, by name; those from files first. */
  entries(): readonly PolicyEntry[] {
    return [...this.#state.entries.values()].sort(byOrder);
  }

  policy(name: string): CompiledPolicy | undefined {
    return this.#state.policies.get(name);
  }

  /** Every policy, bound or not. */
  policies(): Iterable<CompiledPolicy> {
    return this.#state.policies.values();
  }

  bindings(): Iterable<CompiledBinding> {
    return this.#state.bindings.values();
  }

  /** The policies whose rules may match: a superset of those that do, found without looking at the others. */
  candidates(request: AdmissionRequest, mapper?: ResourceMapper): readonly PolicyEntry[] {
    const exemption = exemptionOf(request.resource);
    if (exemption === "all") return [];
    const equivalents = mapper?.equivalents(request.resource, request.subresource ?? "") ?? [];
    const found = this.#state.index.find(request.resource, equivalents, request.operation);
    return exemption === "none" ? found : found.filter(({ policy }) => isStatic(policy.name));
  }

  /** A new set with the change in it. What did not change is not compiled again. */
  with({ put = [], remove = [] }: PolicyChange): PolicySet {
    const policies = new Map(this.#state.policies);
    const bindings = new Map(this.#state.bindings);
    const touched = new Set<string>();
    const rebound = new Map<string, readonly CompiledBinding[]>();
    const unbind = (name: string): void => {
      const old = bindings.get(name);
      if (old === undefined) return;
      const policyName = old.binding.spec.policyName ?? "";
      rebound.set(policyName, (rebound.get(policyName) ?? this.#state.bound.get(policyName) ?? []).filter((one) => one !== old));
      bindings.delete(name);
      touched.add(policyName);
    };
    for (const { kind, name } of remove) {
      if (kind === "ValidatingAdmissionPolicy") {
        policies.delete(name);
        touched.add(name);
      } else unbind(name);
    }
    for (const resource of put) {
      const name = nameOf(resource);
      if (resource.kind === "ValidatingAdmissionPolicy") {
        policies.set(name, compilePolicy(resource));
        touched.add(name);
      } else {
        unbind(name);
        const compiled = compileBinding(resource);
        const policyName = resource.spec.policyName ?? "";
        bindings.set(name, compiled);
        const others = rebound.get(policyName) ?? this.#state.bound.get(policyName);
        rebound.set(policyName, others === undefined ? [compiled] : [...others, compiled]);
        touched.add(policyName);
      }
    }
    return new PolicySet(this.#rebuild(policies, bindings, rebound, touched));
  }

  #rebuild(
    policies: ReadonlyMap<string, CompiledPolicy>,
    bindings: ReadonlyMap<string, CompiledBinding>,
    rebound: ReadonlyMap<string, readonly CompiledBinding[]>,
    touched: ReadonlySet<string>,
  ): State {
    const bound = new Map(this.#state.bound);
    for (const [name, list] of rebound) {
      if (list.length === 0) bound.delete(name);
      else bound.set(name, [...list].sort((a, b) => compare(a.name, b.name)));
    }
    const entries = new Map(this.#state.entries);
    const removed: PolicyEntry[] = [];
    const added: PolicyEntry[] = [];
    for (const name of touched) {
      const old = entries.get(name);
      if (old !== undefined) removed.push(old);
      const policy = policies.get(name);
      const list = bound.get(name);
      if (policy === undefined || list === undefined || !isUsable(policy)) entries.delete(name);
      else {
        const entry = { policy, bindings: list };
        entries.set(name, entry);
        added.push(entry);
      }
    }
    const index = this.#state.index.replace(removed, added, keysOf, byOrder);
    return { policies, bindings, bound, entries, index };
  }
}

/** A policy whose paramKind cannot be read is never asked, as upstream. */
function isUsable({ paramKind }: CompiledPolicy): boolean {
  return paramKind === undefined || !(parseGroupVersion(paramKind.apiVersion ?? "") instanceof Invalid);
}

// Policies without matchConstraints fail every request they are asked about; they are asked about all.
function keysOf({ policy }: PolicyEntry): Iterable<readonly [group: string, resource: string, operation: string]> {
  if (policy.match === undefined || policy.match.rules.length === 0) return [["*", "*", "*"]];
  return policy.match.rules.flatMap(({ apiGroups = [], resources = [], operations = [] }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) => operations.map((operation) => [group, resource.split("/", 1)[0]!, operation] as const)),
    ),
  );
}

function byOrder(a: PolicyEntry, b: PolicyEntry): number {
  const first = Number(isStatic(b.policy.name)) - Number(isStatic(a.policy.name));
  return first === 0 ? compare(a.policy.name, b.policy.name) : first;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const EMPTY = new PolicySet({
  policies: new Map(),
  bindings: new Map(),
  bound: new Map(),
  entries: new Map(),
  index: EMPTY_INDEX,
});
