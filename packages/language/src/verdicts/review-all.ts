// Reviews every object of the workspace with its policies, rules and webhooks: the answer for each object, and every clause's result
// for it. Reviews are kept as long as nothing that concerns the object has changed; where only validating policies did, only
// those are evaluated again.

import { type AdmissionReport, admitEntries, type PolicyEntry } from "@celadon/admission";
import type { JsonPath } from "@celadon/base";
import {
  type IntendedRequest,
  type Outcome,
  type Problem,
  policyProblems,
  type SimulatedCluster,
} from "@celadon/simulator";
import { blameFor, isBlamable } from "@celadon/simulator/explain";
import { isSetUp, type Manifest } from "@celadon/simulator/manifests";
import { type Basis, basisChange, basisOf, NO_BASIS } from "./basis.ts";
import { guiltyField } from "./certificate-fields.ts";
import { gravest, type Truth, Truths } from "./truths.ts";

/** The verdict on an object of the workspace. */
export interface ObjectVerdict {
  readonly manifest: Manifest;
  /** The rest of the request; without it, an administrator creates the object. */
  readonly asked?: RequestWithoutObject;
  readonly request: Outcome["request"];
  /** Whether the object could be read; others are not reviewed. */
  readonly isRead: boolean;
  /** The object before mutation. */
  readonly received: Outcome["received"];
  readonly problems: readonly Problem[];
  /** The results of a policy's validations, by its name. */
  readonly truths: Truths;
  /** The changes by mutating policies that match the object, by name. */
  readonly mutations: ReadonlyMap<string, Mutated>;
  /** Whether each webhook would be called. */
  readonly webhooks: Outcome["webhooks"];
  /** The result for a CertificateRequest, or for the request that a Certificate leads to. */
  readonly certificate: Outcome["certificate"] | undefined;
}

/** A request without its object. */
export type RequestWithoutObject = Omit<IntendedRequest, "object">;

/** Whether a mutating policy changes an object. */
export type Mutated = "changed" | "unchanged" | "error";

/** Whether a policy was evaluated for the object. */
export function isAbout({ truths }: ObjectVerdict, policy: string): boolean {
  return truths.has(policy);
}

export function isDenied({ problems }: ObjectVerdict, policy?: string): boolean {
  return problems.some(({ level, by }) => level === "deny" && (policy === undefined || by?.name === policy));
}

/** Called between reviews; throws to end them. */
export type Pause = () => Promise<void>;

export class Reviews {
  #basis: Basis = NO_BASIS;
  #known = new Map<Manifest, ObjectVerdict>();
  readonly #blame = new WeakMap<Problem, JsonPath | "nowhere">();

  /** In the order of the manifests; set-up is not reviewed. */
  async all(
    manifests: readonly Manifest[],
    simulated: SimulatedCluster,
    pause?: Pause,
  ): Promise<readonly ObjectVerdict[]> {
    const basis = basisOf(simulated);
    const { policies, concerns } = basisChange(this.#basis, basis);
    const changed = new ChangedPolicies(policies, simulated);
    const found = new Map<Manifest, ObjectVerdict>();
    for (const manifest of manifests) {
      if (isSetUp(manifest.object)) continue;
      const known = this.#known.get(manifest);
      if (known !== undefined && !concerns(known) && !changed.concerns(known)) {
        found.set(manifest, known);
        continue;
      }
      await pause?.();
      const isWhole = known === undefined || concerns(known);
      found.set(
        manifest,
        isWhole ? await reviewOne(manifest, simulated) : await reviewAgain(known, simulated, changed),
      );
    }
    this.#basis = basis;
    this.#known = found;
    return [...found.values()];
  }

  /** Finds the place in the object at which each failure was decided. Takes longer than the review: computed when it is shown. */
  async blame(
    { request, received, problems }: ObjectVerdict,
    simulated: SimulatedCluster,
  ): Promise<ReadonlyMap<Problem, JsonPath>> {
    const asked = problems.filter((problem) => isBlamable(problem) && !this.#blame.has(problem));
    const found = asked.length === 0 ? undefined : await blameFor(simulated, { request, received, problems: asked });
    for (const problem of asked) this.#blame.set(problem, found?.get(problem)?.path ?? "nowhere");
    return new Map(
      problems.flatMap((problem): [Problem, JsonPath][] => {
        const path =
          problem.system === "certificate"
            ? certificateBlame(problem, request.object, simulated)
            : this.#blame.get(problem);
        return path === undefined || path === "nowhere" ? [] : [[problem, path]];
      }),
    );
  }
}

/** The attribute that a certificate policy does not allow. */
function certificateBlame(
  { by, policyError }: Problem,
  object: Outcome["request"]["object"],
  simulated: SimulatedCluster,
): JsonPath | undefined {
  if (!object || policyError === undefined) return undefined;
  const policy = simulated.certificatePolicies.find(({ metadata }) => metadata?.name === by?.name);
  return guiltyField(object, policyError, policy);
}

export async function reviewOne(
  manifest: Manifest,
  simulated: SimulatedCluster,
  asked?: RequestWithoutObject,
): Promise<ObjectVerdict> {
  const { request, received, problems, policies, mutated, webhooks, certificate, endedBy } = await simulated.review({
    ...asked,
    object: manifest.object,
  });
  return {
    manifest,
    ...(asked && { asked }),
    request,
    isRead: endedBy !== "decoding",
    received,
    problems,
    webhooks,
    certificate,
    truths: new Truths(truthsOf(policies)),
    mutations: mutationsOf(mutated.passes),
  };
}

/** Validating policies that changed, and which requests they may say something about. */
class ChangedPolicies {
  readonly names: ReadonlySet<string>;
  readonly entries: readonly PolicyEntry[];
  readonly #simulated: SimulatedCluster;
  /** By resource and namespace, which is all that an index uses. */
  readonly #candidates = new Map<string, boolean>();

  constructor(names: ReadonlySet<string>, simulated: SimulatedCluster) {
    this.names = names;
    this.#simulated = simulated;
    this.entries = [...names].flatMap((name) => simulated.policies.entry(name) ?? []);
  }

  /** Whether one of them had a result for the object, or may have one now. */
  concerns({ request, isRead, truths, problems }: ObjectVerdict): boolean {
    if (this.names.size === 0 || !isRead) return false;
    for (const name of this.names) if (truths.has(name)) return true;
    return problems.some((problem) => this.isOf(problem)) || this.#mayMatch(request);
  }

  isOf({ system, by }: Problem): boolean {
    return system === "policy" && by !== undefined && this.names.has(by.name);
  }

  #mayMatch(request: ObjectVerdict["request"]): boolean {
    const { group, version, resource } = request.resource;
    const key = `${group}/${version}/${resource}/${request.subresource ?? ""} ${request.namespace ?? ""}`;
    let may = this.#candidates.get(key);
    if (may === undefined) {
      const candidates = this.#simulated.policies.candidates(request, this.#simulated.hosts.resources);
      may = candidates.some(({ policy }) => this.names.has(policy.name));
      this.#candidates.set(key, may);
    }
    return may;
  }
}

async function reviewAgain(
  known: ObjectVerdict,
  simulated: SimulatedCluster,
  changed: ChangedPolicies,
): Promise<ObjectVerdict> {
  const report = await admitEntries(known.request, changed.entries, simulated.hosts);
  const others = known.problems.filter((problem) => !changed.isOf(problem));
  return {
    ...known,
    problems: [...others, ...policyProblems(simulated, report)],
    truths: known.truths.with(changed.names, truthsOf(report)),
  };
}

/** Over bindings, params and passes: an error before a change, a change before none. */
function mutationsOf(passes: Outcome["mutated"]["passes"]): ReadonlyMap<string, Mutated> {
  const mutations = new Map<string, Mutated>();
  for (const { policy, outcome, changed } of passes.flatMap((pass) => pass.policies.invocations)) {
    if (outcome !== "ran" && outcome !== "error") continue;
    const known = mutations.get(policy.name);
    if (known === "error" || (known === "changed" && outcome === "ran")) continue;
    mutations.set(policy.name, outcome === "error" ? "error" : changed ? "changed" : "unchanged");
  }
  return mutations;
}

const TRUTHS = { admit: "true", deny: "false", error: "error" } as const;

/** Over bindings and params the worst counts. */
function truthsOf({ verdicts }: AdmissionReport): ReadonlyMap<string, readonly Truth[]> {
  const truths = new Map<string, Truth[]>();
  for (const policy of verdicts.policies) {
    if (policy.outcome !== "matched") continue;
    const count = policy.policy.policy.spec.validations?.length ?? 0;
    const evaluations = policy.bindings.flatMap((binding) =>
      binding.outcome === "evaluated" ? binding.evaluations : [],
    );
    for (const { refusal, decisions } of evaluations) {
      if (refusal !== undefined) continue;
      const name = policy.policy.name;
      let said = truths.get(name);
      if (said === undefined) truths.set(name, (said = []));
      for (let i = 0; i < count; i++) {
        const decision = decisions.find(({ source, index }) => source === "validation" && index === i);
        const truth = decision === undefined ? "not reached" : TRUTHS[decision.evaluation];
        said[i] = gravest(said[i], truth);
      }
    }
  }
  return truths;
}
