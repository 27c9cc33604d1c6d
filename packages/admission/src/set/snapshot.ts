// A snapshot of policies and bindings of one family: everything compiled, indexed by group, resource and operation, and never changed. A
// change makes a new snapshot that shares the untouched parts; swapping one for the other is an assignment, and requests under way keep
// theirs. Nothing here depends on the effects of policies.

import { type GroupResource, nameOf, parseGroupVersion } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import { ByNamespace } from "../by-namespace/by-namespace.ts";
import { bindingDemand, entryDemand } from "../by-namespace/namespace-demand.ts";
import { type CompiledBinding, type CompiledRules, compileBinding } from "../compile/compile.ts";
import type { PolicyCompiler } from "../compile/policy-compiler.ts";
import type { ResourceMapper } from "../hosts.ts";
import { equivalentsOf } from "../match/equivalents.ts";
import { exemptionOf, isStatic } from "../match/exempt.ts";
import type { Binding, Policy } from "../policy.ts";
import { type Gates, NO_GATES } from "../proposals/gates.ts";
import type { AdmissionRequest } from "../request.ts";
import { FoundEntries, type Indexing, type IndexKey, PolicyIndex } from "./policy-index.ts";
import { shaped } from "./shape.ts";
import { SharedMap } from "./shared-map.ts";

/** A kind of policy, the kind of its bindings, and its compiled form. */
export interface Family<P extends Policy, B extends Binding, C extends CompiledRules> {
  readonly policyKind: P["kind"];
  compile(policy: P, gates: Gates): C;
  /** The binding of a policy that needs none to be written. */
  implied?(policy: C, gates: Gates): B | undefined;
  /** Compiles bindings. */
  readonly compiler: PolicyCompiler;
}

/** A policy with its bindings, in the order they are evaluated. */
export interface Entry<C extends CompiledRules, B extends Binding> {
  readonly policy: C;
  readonly bindings: readonly CompiledBinding<B>[];
  /** The same, where there are many. */
  readonly bindingsByNamespace?: ByNamespace<CompiledBinding<B>>;
}

/** Fewer bindings are matched one by one. */
const MANY_BINDINGS = 8;

export interface Change<P extends Policy, B extends Binding> {
  /** Added, or replacing the resource of the same kind and name. */
  readonly put?: Iterable<P | B>;
  readonly remove?: Iterable<{ readonly kind: (P | B)["kind"]; readonly name: string; readonly namespace?: string }>;
}

interface State<C extends CompiledRules, B extends Binding> {
  readonly policies: SharedMap<C>;
  readonly bindings: SharedMap<CompiledBinding<B>>;
  /** Bindings by the policy they name, whether it exists or not. */
  readonly bound: SharedMap<readonly CompiledBinding<B>[]>;
  readonly entries: SharedMap<Entry<C, B>>;
  readonly index: PolicyIndex<Entry<C, B>>;
}

export class Snapshot<P extends Policy, B extends Binding, C extends CompiledRules> {
  readonly #family: Family<P, B, C>;
  readonly #gates: Gates;
  readonly #state: State<C, B>;
  #sorted: readonly Entry<C, B>[] | undefined;

  private constructor(family: Family<P, B, C>, gates: Gates, state: State<C, B>) {
    this.#family = family;
    this.#gates = gates;
    this.#state = state;
  }

  /** The snapshot that holds nothing. */
  static empty<P extends Policy, B extends Binding, C extends CompiledRules>(
    family: Family<P, B, C>,
    gates: Gates = NO_GATES,
  ): Snapshot<P, B, C> {
    return new Snapshot(family, gates, {
      policies: SharedMap.empty(),
      bindings: SharedMap.empty(),
      bound: SharedMap.empty(),
      entries: SharedMap.empty(),
      index: new PolicyIndex<Entry<C, B>>(INDEXING),
    });
  }

  /** Policies that have a binding, by name; those from files first. */
  entries(): readonly Entry<C, B>[] {
    this.#sorted ??= [...this.#state.entries.values()].sort(byOrder);
    return this.#sorted;
  }

  /** The number of policies with a binding. */
  get size(): number {
    return this.#state.entries.size;
  }

  /** Policies that have a binding, in no order. */
  bound(): Iterable<Entry<C, B>> {
    return this.#state.entries.values();
  }

  /** A policy that has a binding. */
  entry(name: string): Entry<C, B> | undefined {
    return this.#state.entries.get(name);
  }

  policy(name: string): C | undefined {
    return this.#state.policies.get(name);
  }

  /** Whether a policy has a binding, so that it is evaluated. */
  isBound(name: string): boolean {
    return this.#state.entries.get(name) !== undefined;
  }

  /** Every policy, bound or not. */
  policies(): Iterable<C> {
    return this.#state.policies.values();
  }

  bindings(): Iterable<CompiledBinding<B>> {
    return this.#state.bindings.values();
  }

  /** The policies whose rules may match: a superset of those that do, found without looking at the others. */
  candidates(request: AdmissionRequest, mapper?: ResourceMapper): readonly Entry<C, B>[] {
    return this.find(request, mapper).all();
  }

  /** The same before they are put in order; those for other namespaces can still be left out. */
  find(request: AdmissionRequest, mapper?: ResourceMapper): FoundEntries<Entry<C, B>> {
    if (this.#state.entries.size === 0) return NOTHING;
    const exemption = exemptionOf(request.resource);
    if (exemption === "all") return NOTHING;
    const equivalents = knownEquivalents(request, mapper);
    // Any policy may match a resource with unknown names. Matching asks the mapper again, and reports its failure.
    if (exemption === "none" && equivalents !== undefined) {
      return this.#state.index.find(request.resource, equivalents, request.operation);
    }
    const found =
      equivalents === undefined
        ? this.entries()
        : this.#state.index.find(request.resource, equivalents, request.operation).all();
    return listed(exemption === "none" ? found : found.filter(({ policy }) => isStatic(policy.name)));
  }

  /**
   * A new set with the change in it. Unchanged resources are not compiled again. Throws a TypeError that names resource and field when one
   * is not of its type; this set stays as it is then, as ever.
   */
  with({ put = [], remove = [] }: Change<P, B>): Snapshot<P, B, C> {
    const { policyKind } = this.#family;
    const policies = new Map<string, C | undefined>();
    const bindings = new Map<string, CompiledBinding<B> | undefined>();
    for (const { kind, name, namespace } of remove) {
      if (kind === policyKind) policies.set(name, undefined);
      else bindings.set(bindingKey(name, this.#gates.NamespacedBindings ? namespace : undefined), undefined);
    }
    for (const resource of put) {
      const name = nameOf(resource);
      // Manifests are data: there may be nothing at all.
      const kind: unknown = (resource as P | B | null | undefined)?.kind;
      if (kind === policyKind) policies.set(name, this.#family.compile(shaped(resource as P), this.#gates));
      else if (kind !== `${policyKind}Binding`)
        throw new TypeError(`${String(kind)} ${name} is neither a ${policyKind} nor a binding of one`);
      else {
        const compiled = compileBinding(shaped(resource as B), this.#gates, this.#family.compiler);
        bindings.set(bindingKey(name, compiled.namespace), compiled);
      }
    }
    return new Snapshot(this.#family, this.#gates, this.#rebuild(policies, bindings));
  }

  #rebuild(
    changedPolicies: ReadonlyMap<string, C | undefined>,
    changedBindings: ReadonlyMap<string, CompiledBinding<B> | undefined>,
  ): State<C, B> {
    const state = this.#state;
    const policies = state.policies.with(changedPolicies);
    const bindings = state.bindings.with(changedBindings);
    const bound = state.bound.with(this.#rebound(changedBindings));
    const entries = new Map<string, Entry<C, B> | undefined>();
    const removed: Entry<C, B>[] = [];
    const added: Entry<C, B>[] = [];
    for (const name of this.#touched(changedPolicies, changedBindings)) {
      const old = state.entries.get(name);
      if (old !== undefined) removed.push(old);
      const policy = policies.get(name);
      const list = bound.get(name);
      const entry = policy && this.#entryOf(policy, list);
      entries.set(name, entry);
      if (entry !== undefined) added.push(entry);
    }
    const index = state.index.replace(removed, added);
    return { policies, bindings, bound, entries: state.entries.with(entries), index };
  }

  // A policy that needs no binding has only the one it implies.
  #entryOf(policy: C, bindings: readonly CompiledBinding<B>[] | undefined): Entry<C, B> | undefined {
    const implied = this.#family.implied?.(policy, this.#gates);
    if (implied !== undefined) return { policy, bindings: [compileBinding(implied, NO_GATES, this.#family.compiler)] };
    if (bindings === undefined || !isUsable(policy)) return undefined;
    if (bindings.length < MANY_BINDINGS) return { policy, bindings };
    return { policy, bindings, bindingsByNamespace: new ByNamespace(bindings, bindingDemand) };
  }

  /** The lists of bindings per policy that change. */
  #rebound(
    changed: ReadonlyMap<string, CompiledBinding<B> | undefined>,
  ): ReadonlyMap<string, readonly CompiledBinding<B>[] | undefined> {
    const lists = new Map<string, CompiledBinding<B>[]>();
    const listOf = (policyName: string): CompiledBinding<B>[] => {
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
    const result = new Map<string, readonly CompiledBinding<B>[] | undefined>();
    for (const [name, list] of lists) {
      result.set(name, list.length === 0 ? undefined : list.sort((a, b) => compare(a.name, b.name)));
    }
    return result;
  }

  #touched(
    policies: ReadonlyMap<string, unknown>,
    bindings: ReadonlyMap<string, CompiledBinding<B> | undefined>,
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

/** The key of a binding; namespaces tell them apart only where a gate confines bindings to theirs. */
function bindingKey(name: string, namespace: string | undefined): string {
  return namespace ? `${namespace}/${name}` : name;
}

function policyNameOf({ binding }: CompiledBinding<Binding>): string {
  return binding.spec.policyName ?? "";
}

/** Undefined when the mapper fails. */
function knownEquivalents(
  request: AdmissionRequest,
  mapper: ResourceMapper | undefined,
): readonly GroupResource[] | undefined {
  if (mapper === undefined) return [];
  try {
    return equivalentsOf(request, mapper);
  } catch {
    return undefined;
  }
}

/** A policy whose paramKind cannot be read is never evaluated, as upstream. */
function isUsable({ paramKind }: CompiledRules): boolean {
  return paramKind === undefined || !(parseGroupVersion(paramKind.apiVersion ?? "") instanceof Invalid);
}

// Policies without matchConstraints are evaluated for every request, and fail it.
function keysOf({ policy }: Entry<CompiledRules, Binding>): Iterable<IndexKey> {
  if (policy.match === undefined || policy.match.rules.length === 0) return [["*", "*", "*"]];
  return policy.match.rules.flatMap(({ apiGroups = [], resources = [], operations = [] }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        operations.map((operation) => [group, resource.split("/", 1)[0]!, operation] as const),
      ),
    ),
  );
}

function byOrder(a: Entry<CompiledRules, Binding>, b: Entry<CompiledRules, Binding>): number {
  const first = Number(isStatic(b.policy.name)) - Number(isStatic(a.policy.name));
  return first === 0 ? compare(a.policy.name, b.policy.name) : first;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const INDEXING: Indexing<Entry<CompiledRules, Binding>> = { keysOf, demandOf: entryDemand, order: byOrder };

// Entries without an index: matching tests each, in every namespace.
function listed<E extends Entry<CompiledRules, Binding>>(entries: readonly E[]): FoundEntries<E> {
  return entries.length === 0 ? NOTHING : new FoundEntries([new ByNamespace(entries, () => [])], byOrder);
}

// biome-ignore lint/suspicious/noExplicitAny: nothing found is nothing of any kind
const NOTHING: FoundEntries<any> = new FoundEntries<any>([], byOrder);
