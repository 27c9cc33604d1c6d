// Collects what expressions were seen to be while cases run. Expressions are interpreted with a recorder, which changes neither
// verdicts nor costs. Collections of several suites or workers are plain data and can be put together in any order.

import { type EvaluationObserver, type ExpressionPlace, expressionPath } from "@celadon/admission/explain";
import type { Expression } from "@celadon/admission/steps";
import { type CelError, isError, type Program, type Recorder, type Value } from "@celadon/cel";
import type { CertificateRuleObserver as CertificateObserver } from "@celadon/certpolicy";
import type { ResourceVersion } from "@celadon/crd";
import type { RuleObserver } from "@celadon/crd/rules";
import { gvkOf, nameOf } from "@celadon/kube";
import type { Outcome, SimulatedCluster } from "@celadon/simulator";
import { rulePath } from "@celadon/simulator/explain";
import type { Role } from "@celadon/simulator/manifests";
import type { CaseWatch } from "../suite/run-suite.ts";
import { listenedNodes, SEEN, WHOLE } from "./points.ts";
import { pathKey, resourceKey } from "./resource-key.ts";

/** The observed values of one expression or binding. */
export interface Sighting {
  /** The number of evaluations. */
  count: number;
  /** Bits of SEEN by clause. */
  readonly seen: Map<string, number>;
}

/** A collection as JSON: resource → place → evaluations. */
export type CoverageData = Readonly<
  Record<string, Readonly<Record<string, { readonly count: number; readonly seen: Readonly<Record<string, number>> }>>>
>;

/** An evaluated expression, by its place. */
export interface RecordedExpression {
  readonly kind: string;
  /** The name of the resource. */
  readonly name: string;
  /** Steps to the expression, joined by "/"; empty for a binding. */
  readonly path: string;
}

/** Observes cases as they run, and keeps the results of each part of an expression. */
export class CoverageCollector {
  readonly #sightings = new Map<string, Map<string, Sighting>>();
  readonly #owners = new WeakMap<SimulatedCluster, ReadonlyMap<string, string>>();
  readonly #resources = new Map<string, Owner>();

  /** Observers for one case: for `RunOptions.observe`. */
  watch(simulated: SimulatedCluster): CaseWatch {
    const owners = this.#ownersOf(simulated);
    const at: At = ({ kind, name }, path) => {
      const owner = ownerKey(kind, name);
      return this.#sighting(owners.get(owner) ?? owner, pathKey(path));
    };
    const observer = new PolicyListener(at);
    return {
      observer,
      ruleObserver: (version) => new RuleListener(version, at),
      certificateObserver: certificateListener(at),
      done: (outcome) => {
        observer.begin();
        this.#addBindings(outcome, at);
      },
    };
  }

  /** Undefined for an expression without evaluations. */
  find(resource: string, path: readonly (string | number)[]): Sighting | undefined {
    return this.#sightings.get(resource)?.get(pathKey(path));
  }

  /** The expressions and bindings that were evaluated in the observed simulated clusters. */
  evaluated(): readonly RecordedExpression[] {
    return [...this.#resources].flatMap(([resource, owner]) =>
      [...(this.#sightings.get(resource)?.keys() ?? [])].map((path) => ({ ...owner, path })),
    );
  }

  merge(data: CoverageData): void {
    for (const [resource, places] of Object.entries(data)) {
      for (const [place, { count, seen }] of Object.entries(places)) {
        const sighting = this.#sighting(resource, place);
        sighting.count += count;
        for (const [clause, bits] of Object.entries(seen)) see(sighting, clause, bits);
      }
    }
  }

  toJSON(): CoverageData {
    const places = (map: ReadonlyMap<string, Sighting>): CoverageData[string] =>
      Object.fromEntries(
        [...map].map(([place, { count, seen }]) => [place, { count, seen: Object.fromEntries(seen) }]),
      );
    return Object.fromEntries([...this.#sightings].map(([resource, value]) => [resource, places(value)]));
  }

  #sighting(resource: string, place: string): Sighting {
    let places = this.#sightings.get(resource);
    if (places === undefined) this.#sightings.set(resource, (places = new Map()));
    let sighting = places.get(place);
    if (sighting === undefined) places.set(place, (sighting = { count: 0, seen: new Map() }));
    return sighting;
  }

  /** Keys of a simulated cluster's resources by kind and name. */
  #ownersOf(simulated: SimulatedCluster): ReadonlyMap<string, string> {
    let owners = this.#owners.get(simulated);
    if (owners === undefined) {
      const found = new Map<string, string>();
      for (const manifest of simulated.manifests(...COVERED_ROLES)) {
        const owner = { kind: gvkOf(manifest.object).kind, name: nameOf(manifest.object) };
        const resource = resourceKey(manifest);
        found.set(ownerKey(owner.kind, owner.name), resource);
        this.#resources.set(resource, owner);
      }
      owners = found;
      this.#owners.set(simulated, owners);
    }
    return owners;
  }

  #addBindings({ policies, mutated }: Outcome, at: At): void {
    const add = ({ binding: { kind, metadata } }: BindingSeen["binding"], applied: boolean): void => {
      const sighting = at({ kind, name: metadata?.name ?? "" }, []);
      sighting.count++;
      see(sighting, WHOLE, applied ? SEEN.true : SEEN.false);
    };
    // The second pass evaluates the same ones again.
    for (const { invocations, notInvoked } of mutated.passes.slice(0, 1).map((pass) => pass.policies)) {
      for (const { binding, refusal } of invocations) add(binding, refusal === undefined);
      for (const invoked of notInvoked) if (invoked.binding !== undefined) add(invoked.binding, false);
    }
    for (const policy of policies.verdicts.policies) {
      for (const outcome of policy.outcome === "matched" ? policy.bindings : []) {
        add(outcome.binding, outcome.outcome !== "refused");
      }
    }
  }
}

const COVERED_ROLES: readonly Role[] = [
  "policy",
  "binding",
  "mutatingPolicy",
  "mutatingBinding",
  "webhooks",
  "definition",
  "certificatePolicy",
];

interface BindingSeen {
  readonly binding: { readonly binding: { readonly kind: string; readonly metadata?: { readonly name?: string } } };
}

interface Owner {
  readonly kind: string;
  readonly name: string;
}

type At = (owner: Owner, path: readonly (string | number)[]) => Sighting;

const ownerKey = (kind: string, name: string): string => `${kind}/${name}`;

function see({ seen }: Sighting, clause: string, bits: number): void {
  seen.set(clause, (seen.get(clause) ?? 0) | bits);
}

/** Nodes of a program that are clauses. Programs are shared by all simulated clusters, so this is found out once. */
const listened = new WeakMap<Program, ReadonlyMap<number, string>>();

/** One evaluation: bits by node. */
class Listening implements Recorder {
  readonly #nodes: ReadonlyMap<number, string>;
  readonly #bits = new Map<number, number>();

  constructor(program: Program) {
    let nodes = listened.get(program);
    if (nodes === undefined) listened.set(program, (nodes = listenedNodes(program.ast)));
    this.#nodes = nodes;
  }

  value(id: number, value: Value | CelError): void {
    if (this.#nodes.has(id)) this.#bits.set(id, (this.#bits.get(id) ?? 0) | bitOf(value));
  }

  addTo(sighting: Sighting, whole: Value | CelError): void {
    sighting.count++;
    see(sighting, WHOLE, bitOf(whole));
    for (const [id, bits] of this.#bits) see(sighting, this.#nodes.get(id)!, bits);
  }
}

function bitOf(value: Value | CelError): number {
  if (value === true) return SEEN.true;
  if (value === false) return SEEN.false;
  return isError(value) ? SEEN.error : SEEN.other;
}

interface Heard {
  readonly listening: Listening;
  readonly sighting: Sighting;
  readonly value: Value | CelError;
}

/** Policies and webhooks. Repeated evaluations are held back until it is clear that they count. */
class PolicyListener implements EvaluationObserver {
  readonly #at: At;
  /** Under way, the innermost last: variables run inside of what reads them. */
  readonly #open: Listening[] = [];
  readonly #heard: Heard[] = [];
  /** The last results of the validations of a policy, by owner and position. */
  readonly #validations = new Map<string, Value | CelError>();

  constructor(at: At) {
    this.#at = at;
  }

  recorder(_place: ExpressionPlace, { program }: Expression): Recorder | undefined {
    if (program === undefined) return undefined;
    const listening = new Listening(program);
    this.#open.push(listening);
    return listening;
  }

  result({ owner, kind, index }: ExpressionPlace, { program }: Expression, value: Value | CelError | undefined): void {
    const listening = program && this.#open.pop();
    if (listening === undefined) return;
    const validation = `${owner.name}/${index}`;
    if (kind === "validation") this.#validations.set(validation, value);
    // The API server evaluates every message, and shows those of false validations.
    if (kind === "messageExpression" && this.#validations.get(validation) !== false) return;
    const sighting = this.#at(owner, expressionPath(kind, index, owner.webhook));
    this.#heard.push({ listening, sighting, value });
  }

  discard(): void {
    this.#open.pop();
  }

  begin(): void {
    for (const { listening, sighting, value } of this.#heard) listening.addTo(sighting, value);
    this.#heard.length = 0;
  }

  restart(): void {
    this.#open.length = 0;
    this.#heard.length = 0;
  }
}

/** Rules of one version of a definition. */
class RuleListener implements RuleObserver {
  readonly #version: number;
  readonly #owner: Owner;
  readonly #at: At;
  #listening: Listening | undefined;

  constructor({ type, name }: ResourceVersion, at: At) {
    const { versions = [] } = type.definition.spec;
    this.#version = Math.max(
      versions.findIndex((version) => version.name === name),
      0,
    );
    this.#owner = { kind: "CustomResourceDefinition", name: `${type.plural}.${type.group}` };
    this.#at = at;
  }

  recorder(...[{ kind }, { program, message }]: Parameters<RuleObserver["recorder"]>): Recorder | undefined {
    const running = kind === "rule" ? program : message;
    this.#listening = running && new Listening(running);
    return this.#listening;
  }

  result(...[place, , value]: Parameters<RuleObserver["result"]>): void {
    this.#listening?.addTo(this.#at(this.#owner, rulePath(this.#version, place)), value);
  }
}

function certificateListener(at: At): CertificateObserver {
  let listening: Listening | undefined;
  return {
    recorder: (_place, { program }) => {
      listening = new Listening(program);
      return listening;
    },
    result: ({ policy, path }, _rule, value) => {
      listening?.addTo(at({ kind: "CertificateRequestPolicy", name: policy }, [...path, "rule"]), value);
    },
  };
}
