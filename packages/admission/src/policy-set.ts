// A policy set: everything compiled, indexed by group, resource and operation, and never changed. A change makes a new set
// that shares what it did not touch; swapping one for the other is an assignment, and requests under way keep theirs.

import { type GroupResource, Invalid, nameOf, parseGroupVersion } from "@celadon/kube";
import { type CompiledBinding, type CompiledPolicy, compileBinding, compilePolicy } from "./compile.ts";
import type { ResourceMapper } from "./hosts.ts";
import { exemptionOf, isStatic } from "./match/exempt.ts";
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "./policy.ts";
import { EMPTY_INDEX, type PolicyIndex } from "./policy-index.ts";
import { singletonActions } from "./proposals/fields.ts";
import { type Gates, NO_GATES } from "./proposals/gates.ts";
import type { AdmissionRequest } from "./request.ts";
import { SharedMap } from "./shared-map.ts";

/** A policy with its bindings, in the order they are asked. */
export interface PolicyEntry {
  readonly policy: CompiledPolicy;
  readonly bindings: readonly CompiledBinding[];
}

export type PolicyResource = ValidatingAdmissionPolicy | ValidatingAdmissionPolicyBinding;

export interface PolicyChange {
  /** Added, or replacing what has the same kind and name. */
  readonly put?: Iterable<PolicyResource>;
  readonly remove?: Iterable<{
    readonly kind: PolicyResource["kind"];
    readonly name: string;
    readonly namespace?: string;
  }>;
}

interface State {
  readonly policies: SharedMap<CompiledPolicy>;
  readonly bindings: SharedMap<CompiledBinding>;
  /** Bindings by the policy they name, whether it exists or not. */
  readonly bound: SharedMap<readonly CompiledBinding[]>;
  readonly entries: SharedMap<PolicyEntry>;
  readonly index: PolicyIndex<PolicyEntry>;
  readonly gates: Gates;
}

export interface PolicySetOptions {
  /** Ideas of the proposals that are on, for this set and all made from it. */
  readonly gates?: Gates;
}

export function createPolicySet(
  resources: Iterable<PolicyResource> = [],
  { gates = NO_GATES }: PolicySetOptions = {},
): PolicySet {
  return new PolicySet({ ...EMPTY, gates }).with({ put: resources });
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
    const equivalents = equivalentsOf(request, mapper);
    const found = this.#state.index.find(request.resource, equivalents, request.operation);
    return exemption === "none" ? found : found.filter(({ policy }) => isStatic(policy.name));
  }

  /** A new set with the change in it. What did not change is not compiled again. */
  with({ put = [], remove = [] }: PolicyChange): PolicySet {
    const policies = new Map<string, CompiledPolicy | undefined>();
    const bindings = new Map<string, CompiledBinding | undefined>();
    for (const { kind, name, namespace } of remove) {
      if (kind === "ValidatingAdmissionPolicy") policies.set(name, undefined);
      else bindings.set(namespace ? `${namespace}/${name}` : name, undefined);
    }
    for (const resource of put) {
      const { gates } = this.#state;
      const name = nameOf(resource);
      if (resource.kind === "ValidatingAdmissionPolicy") policies.set(name, compilePolicy(resource, gates));
      else {
        const compiled = compileBinding(resource, gates);
        bindings.set(compiled.namespace === undefined ? name : `${compiled.namespace}/${name}`, compiled);
      }
    }
    return new PolicySet(this.#rebuild(policies, bindings));
  }

  #rebuild(
    changedPolicies: ReadonlyMap<string, CompiledPolicy | undefined>,
    changedBindings: ReadonlyMap<string, CompiledBinding | undefined>,
  ): State {
    const state = this.#state;
    const policies = state.policies.with(changedPolicies);
    const bindings = state.bindings.with(changedBindings);
    const bound = state.bound.with(this.#rebound(changedBindings));
    const entries = new Map<string, PolicyEntry | undefined>();
    const removed: PolicyEntry[] = [];
    const added: PolicyEntry[] = [];
    for (const name of this.#touched(changedPolicies, changedBindings)) {
      const old = state.entries.get(name);
      if (old !== undefined) removed.push(old);
      const policy = policies.get(name);
      const list = bound.get(name);
      const entry = policy && entryOf(policy, list, state.gates);
      entries.set(name, entry);
      if (entry !== undefined) added.push(entry);
    }
    const index = state.index.replace(removed, added, keysOf, byOrder);
    return { policies, bindings, bound, entries: state.entries.with(entries), index, gates: state.gates };
  }

  /** The lists of bindings per policy that change. */
  #rebound(
    changed: ReadonlyMap<string, CompiledBinding | undefined>,
  ): ReadonlyMap<string, readonly CompiledBinding[] | undefined> {
    const lists = new Map<string, CompiledBinding[]>();
    const listOf = (policyName: string): CompiledBinding[] => {
      let list = lists.get(policyName);
      if (list === undefined) {
        list = [...(this.#state.bound.get(policyName) ?? [])];
        lists.set(policyName, list);
      }
      return list;
    };
    for (const [name, binding] of changed) {
      const old = this.#state.bindings.get(name);
      if (old !== undefined) {
        const list = listOf(policyNameOf(old));
        list.splice(list.indexOf(old), 1);
      }
      if (binding !== undefined) listOf(policyNameOf(binding)).push(binding);
    }
    const result = new Map<string, readonly CompiledBinding[] | undefined>();
    for (const [name, list] of lists) {
      result.set(name, list.length === 0 ? undefined : list.sort((a, b) => compare(a.name, b.name)));
    }
    return result;
  }

  #touched(
    policies: ReadonlyMap<string, unknown>,
    bindings: ReadonlyMap<string, CompiledBinding | undefined>,
  ): ReadonlySet<string> {
    const names = new Set(policies.keys());
    for (const [name, binding] of bindings) {
      const old = this.#state.bindings.get(name);
      if (old !== undefined) names.add(policyNameOf(old));
      if (binding !== undefined) names.add(policyNameOf(binding));
    }
    return names;
  }
}

function policyNameOf({ binding }: CompiledBinding): string {
  return binding.spec.policyName ?? "";
}

// A mapper that fails is asked again, and answered for, when policies are matched.
function equivalentsOf(
  { resource, subresource = "" }: AdmissionRequest,
  mapper: ResourceMapper | undefined,
): readonly GroupResource[] {
  try {
    const found: unknown = mapper?.equivalents(resource, subresource);
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

// A policy that needs no binding has one nobody wrote, without a name.
function entryOf(
  policy: CompiledPolicy,
  bindings: readonly CompiledBinding[] | undefined,
  gates: Gates,
): PolicyEntry | undefined {
  const validationActions = singletonActions(policy.policy, gates);
  if (validationActions !== undefined) {
    const { apiVersion } = policy.policy;
    const spec = { policyName: policy.name, validationActions };
    const kind = "ValidatingAdmissionPolicyBinding";
    return { policy, bindings: [compileBinding({ apiVersion, kind, metadata: {}, spec })] };
  }
  return bindings !== undefined && isUsable(policy) ? { policy, bindings } : undefined;
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
      resources.flatMap((resource) =>
        operations.map((operation) => [group, resource.split("/", 1)[0]!, operation] as const),
      ),
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

const EMPTY: State = {
  policies: SharedMap.empty(),
  bindings: SharedMap.empty(),
  bound: SharedMap.empty(),
  entries: SharedMap.empty(),
  index: EMPTY_INDEX,
  gates: NO_GATES,
};
