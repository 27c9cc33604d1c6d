// Fuzzing: which inputs that a server would accept make an expression fail, or cost too much? For every policy and each kind it
// matches, and for the rules of CRDs. Inputs are shrunk, and each failure is reported once. Repeatable: unless the signal ends
// it, the report depends only on the input, the seed and the number of runs.

import { createSchemas, type MatchedTarget, type Schemas, targetsOf } from "@celadon/admission/memory";
import { compileMutatingPolicy } from "@celadon/admission/mutating";
import { BINDING_KINDS, type Binding, type Policy } from "@celadon/admission/policy";
import { compileBinding, compilePolicy } from "@celadon/admission/steps";
import { CustomResourceType, prepareDefinition, type ResourceVersion, readDefinition } from "@celadon/crd";
import { apiVersionOf, type KubeObject, nameOf } from "@celadon/kube";
import { withServerDefaults } from "@celadon/kube/defaults";
import type { Minor } from "@celadon/kube-cel";
import { Random, seedFor } from "../generate/random.ts";
import { shrink } from "../shrink/shrink.ts";
import type { Failure, Trial } from "./failure.ts";
import type { FuzzCase, FuzzFinding, FuzzNote, FuzzReport } from "./finding.ts";
import { expressionsOf, type FuzzedBinding, type FuzzedPolicy } from "./fuzzed-policy.ts";
import { type Input, inputsOf, isLegal, type Recipe } from "./inputs.ts";
import { interestsOf, ruleInterests } from "./interests.ts";
import { policyFailures, requestOf } from "./policy-trial.ts";
import { paramSchema, policyRecipe, ruleRecipe } from "./recipes.ts";
import { Decoder, ruleFailures } from "./rule-trial.ts";

/** The input of the fuzzer: policies, definitions, and their params. */
export interface FuzzInput {
  readonly policies?: readonly Policy[];
  /** The bindings of the policies; one that has none is tried as if it were bound. */
  readonly bindings?: readonly Binding[];
  /** Used instead of generated params for policies with this kind of params. */
  readonly params?: readonly KubeObject[];
  /** CustomResourceDefinitions: their rules are tried, and policies may be about their kinds. */
  readonly definitions?: readonly KubeObject[];
}

/** The limits of a search. The same seed tries the same inputs. */
export interface FuzzOptions {
  readonly seed?: number;
  /** Inputs per policy and kind, and per version of a definition. */
  readonly runs?: number;
  /** Kinds per policy. */
  readonly kinds?: number;
  /** False: objects as manifests have them, before a server sets defaults. */
  readonly serverDefaults?: boolean;
  /** The version of the API server; the current one if absent. */
  readonly kubeVersion?: Minor;
  readonly signal?: { readonly aborted: boolean };
  /** Told now and then; waited for, so that a host can let others run. */
  readonly onProgress?: (progress: FuzzProgress) => void | Promise<void>;
}

/** The progress of a search. */
export interface FuzzProgress {
  /** The finished policies and versions of definitions. */
  readonly done: number;
  readonly total: number;
  readonly subject: string;
  readonly findings: number;
}

/** Inputs per policy and kind, by default. */
export const DEFAULT_RUNS = 500;
const DEFAULT_KINDS = 8;
/** Inputs between two looks at the signal and the host. */
const BETWEEN = 50;

/**
 * Evaluations are bounded by cost, as nothing here reads a clock: those of one kind, first the large ones and at twice that all, and those
 * of shrinking one input.
 */
const MOST_COST = 40_000_000;
const MOST_SHRINK_COST = 20_000_000;

type Owner = FuzzFinding["owner"];

/** Tries policies and rules on generated inputs, and finds those on which expressions fail. */
export async function fuzzPolicies(input: FuzzInput, options: FuzzOptions = {}): Promise<FuzzReport> {
  const campaign = new Campaign(input, options);
  await campaign.run();
  return campaign.report();
}

class Campaign {
  readonly #input: FuzzInput;
  readonly #options: FuzzOptions;
  readonly #seed: number;
  readonly #schemas: Schemas;
  readonly #versions: ReadonlyMap<string, ResourceVersion>;
  readonly #findings: FuzzFinding[] = [];
  readonly #notes: FuzzNote[] = [];
  #tried = 0;
  #invalid = 0;
  #done = 0;

  constructor(input: FuzzInput, options: FuzzOptions) {
    this.#input = input;
    this.#options = options;
    this.#seed = options.seed ?? 1;
    const { definitions = [] } = input;
    this.#schemas = createSchemas({ definitions });
    this.#versions = new Map(definitions.flatMap((definition) => this.#versionsOf(definition)));
  }

  report(): FuzzReport {
    const aborted = this.#options.signal?.aborted === true;
    return {
      seed: this.#seed,
      findings: this.#findings,
      notes: this.#notes,
      tried: this.#tried,
      invalid: this.#invalid,
      aborted,
    };
  }

  async run(): Promise<void> {
    for (const policy of this.#input.policies ?? []) {
      if (this.#options.signal?.aborted) return;
      await this.#policy(policy);
      this.#done++;
    }
    for (const [key, version] of this.#versions) {
      if (this.#options.signal?.aborted) return;
      await this.#rules(key, version);
      this.#done++;
    }
  }

  #versionsOf(object: KubeObject): [string, ResourceVersion][] {
    const owner = { kind: "CustomResourceDefinition", name: nameOf(object) };
    const read = readDefinition(object);
    if (!("definition" in read)) {
      this.#note(owner, "not_a_definition", read.status.message ?? "not a CustomResourceDefinition");
      return [];
    }
    const { kubeVersion } = this.#options;
    const rules = kubeVersion && { rules: { kubeVersion } };
    const type = new CustomResourceType(prepareDefinition(read.definition, undefined), rules);
    return (type.definition.spec.versions ?? []).flatMap(({ name = "", served }) => {
      const version = served ? type.version(name) : undefined;
      return version === undefined ? [] : [[`${version.apiVersion}/${type.kind}`, version]];
    });
  }

  async #policy(policy: Policy): Promise<void> {
    const owner = { kind: policy.kind, name: nameOf(policy) };
    const { kubeVersion } = this.#options;
    const compiled =
      policy.kind === "MutatingAdmissionPolicy"
        ? compileMutatingPolicy(policy, {}, kubeVersion)
        : compilePolicy(policy, {}, kubeVersion);
    this.#noteUncompiled(owner, compiled);
    const bindings = this.#bindingsOf(compiled);
    const { targets, leftOut, unknown } = targetsOf(policy, this.#schemas, this.#options.kinds ?? DEFAULT_KINDS);
    for (const name of unknown)
      this.#note(owner, "unknown_kind", `no schema for ${name}: its CustomResourceDefinition is not in the inputs`);
    if (leftOut > 0)
      this.#note(
        owner,
        "kinds_left_out",
        `${leftOut} more kinds match; tried ${targets.map(({ kind }) => kind.kind).join(", ")}`,
      );
    const { paramKind } = compiled;
    if (paramKind !== undefined && paramSchema(paramKind, this.#schemas) === undefined) {
      this.#note(
        owner,
        "unknown_kind",
        `no schema for params of kind ${paramKind.kind}; assuming the fields that expressions read`,
      );
    }
    const { params = [] } = this.#input;
    const interests = interestsOf(compiled, params);
    const { serverDefaults = true, signal } = this.#options;
    const known = new Set<string>();
    for (const target of targets) {
      const recipe = policyRecipe(compiled, target, interests, this.#schemas, { bindings, params, serverDefaults });
      const version = this.#versions.get(`${apiVersionOf(target.kind)}/${target.kind.kind}`);
      const decode = version ? decoderOf(version) : serverDefaults ? presentedBy(kubeVersion) : undefined;
      const trial: Trial = (given) => {
        const seen = decode === undefined ? given : decode(given);
        return seen && policyFailures(compiled, bindings, seen, requestOf(seen, target), signal);
      };
      const failurePolicy = compiled.failurePolicy;
      await this.#try(owner, target, recipe, trial, known, (input) => ({
        failurePolicy,
        case: policyCase(input, target),
      }));
    }
  }

  async #rules(key: string, version: ResourceVersion): Promise<void> {
    const owner = { kind: "CustomResourceDefinition", name: nameOf(version.type.definition) };
    const { rules } = version;
    if (rules === undefined) return;
    const { type, name } = version;
    const kind = { group: type.group, version: name, kind: type.kind };
    const schema = this.#schemas.schema(kind);
    if (schema === undefined) return;
    const resource = { group: type.group, version: name, resource: type.plural };
    const target: MatchedTarget = {
      kind,
      resource,
      subresource: "",
      namespaced: type.namespaced,
      schema,
      hasStatus: version.hasStatus,
      operations: ["CREATE", "UPDATE"],
      name: "a",
    };
    const decoder = new Decoder(version);
    const trial: Trial = (input) => ruleFailures(version, decoder, input);
    const recipe = ruleRecipe(target, ruleInterests(rules));
    await this.#try(owner, target, recipe, trial, new Set([key]), (input) => ({ case: { ...caseOf(input, target) } }));
  }

  async #try(
    owner: Owner,
    target: MatchedTarget,
    recipe: Recipe,
    trial: Trial,
    known: Set<string>,
    finish: (input: Input) => Pick<FuzzFinding, "case" | "failurePolicy">,
  ): Promise<void> {
    const { runs = DEFAULT_RUNS, signal } = this.#options;
    const random = new Random(
      seedFor(this.#seed, `${owner.name}/${apiVersionOf(target.kind)}/${target.kind.kind}/${target.subresource}`),
    );
    const inputs = inputsOf(recipe, random);
    const legalTrial: Trial = (input) => (isLegal(recipe, input) ? trial(input) : undefined);
    let valid = 0;
    let spent = 0;
    for (let i = 0; i < runs; i++) {
      if (i % BETWEEN === 0) await this.#progress(`${owner.name} ${target.kind.kind}`);
      if (signal?.aborted) return;
      const input = inputs.next().value;
      if (spent > MOST_COST && (spent > 2 * MOST_COST || isLarge(input))) continue;
      const tried = legalTrial(input);
      this.#tried++;
      if (tried === undefined) this.#invalid++;
      else valid++;
      spent += tried?.cost ?? 0;
      for (const failure of tried?.failures ?? []) {
        if (known.has(failure.key)) continue;
        known.add(failure.key);
        const found = this.#found(owner, input, failure, legalTrial, finish);
        this.#findings.push(found);
        // An expression that costs too much with a small object does so with all of them.
        if (found.problem !== "error" && !isLarge(found.case)) return;
      }
    }
    if (valid === 0 && runs > 0) {
      this.#note(
        owner,
        "no_valid_object",
        `none of ${runs} generated objects of kind ${target.kind.kind} would reach the policy`,
      );
    }
  }

  #found(
    owner: Owner,
    input: Input,
    { key }: Failure,
    trial: Trial,
    finish: (input: Input) => Pick<FuzzFinding, "case" | "failurePolicy">,
  ): FuzzFinding {
    let spent = 0;
    const same = (candidate: Input): Failure | undefined => {
      const tried = trial(candidate);
      spent += tried?.cost ?? 0;
      return tried?.failures.find((item) => item.key === key);
    };
    const { signal } = this.#options;
    const smaller = (candidate: Input): boolean =>
      spent < MOST_SHRINK_COST && candidate.operation === input.operation && same(candidate) !== undefined;
    const smallest = shrink(input, smaller, { signal });
    const { key: _, ...failure } = same(smallest) ?? same(input)!;
    return { owner, ...failure, ...finish(smallest) };
  }

  #bindingsOf({ name, paramKind, policy }: FuzzedPolicy): FuzzedBinding[] {
    const kind = BINDING_KINDS[policy.kind];
    const given = (this.#input.bindings ?? []).filter(
      (binding) => binding.kind === kind && binding.spec.policyName === name,
    );
    if (given.length > 0) return given.map((binding) => compileBinding(binding));
    const paramRef = paramKind === undefined ? {} : { paramRef: { name: "a" } };
    const spec = { policyName: name, ...paramRef };
    return [compileBinding({ apiVersion: policy.apiVersion, kind, metadata: { name: "a" }, spec } as Binding)];
  }

  #noteUncompiled(owner: Owner, policy: FuzzedPolicy): void {
    for (const { program, error } of [...policy.variables.expressions, ...expressionsOf(policy)]) {
      if (program === undefined) this.#note(owner, "does_not_compile", error);
    }
  }

  #note(owner: Owner, code: FuzzNote["code"], message: string): void {
    this.#notes.push({ owner, code, message });
  }

  async #progress(subject: string): Promise<void> {
    const total = (this.#input.policies?.length ?? 0) + this.#versions.size;
    await this.#options.onProgress?.({ done: this.#done, total, subject, findings: this.#findings.length });
  }
}

/** Custom resources as policies see them: with defaults, and only objects that the schema and its rules accept. */
function decoderOf(version: ResourceVersion): (input: Input) => Input | undefined {
  const decoder = new Decoder(version);
  return (input) => {
    const { operation, object, oldObject } = input;
    const old = operation === "CREATE" ? undefined : decoder.stored(oldObject);
    if (operation !== "CREATE" && old === undefined) return undefined;
    if (operation === "DELETE") return { ...input, oldObject: old! };
    const written = decoder.written(object, old);
    if (written === undefined || written.errors.length > 0) return undefined;
    return { ...input, object: written.object, ...(old && { oldObject: old }) };
  };
}

/** Built-in kinds as policies see them: as a server presents them, so that nothing is found that a request cannot show. */
function presentedBy(kubeVersion: Minor | undefined): (input: Input) => Input {
  return (input) => {
    const { object, oldObject } = input;
    return {
      ...input,
      ...(object && { object: withServerDefaults(object, kubeVersion) }),
      ...(oldObject && { oldObject: withServerDefaults(oldObject, kubeVersion) }),
    };
  };
}

/** Whether a list or a map in it is long. */
function isLarge(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const members = Object.values(value);
  return members.length > 100 || members.some(isLarge);
}

function caseOf({ operation, object, oldObject, params }: Input, { kind }: MatchedTarget): FuzzCase {
  return {
    operation,
    kind,
    ...(object && { object: object as KubeObject }),
    ...(oldObject && { oldObject: oldObject as KubeObject }),
    ...(params && { params: params as KubeObject }),
  };
}

function policyCase(input: Input, target: MatchedTarget): FuzzCase {
  const { namespaceObject, request } = input;
  const authorized = request?.authorized;
  return {
    ...caseOf(input, target),
    ...(namespaceObject && { namespaceObject: namespaceObject as KubeObject }),
    request: requestOf(input, target),
    ...(request?.userInfo !== undefined && { userInfo: request.userInfo as NonNullable<FuzzCase["userInfo"]> }),
    ...(typeof authorized === "boolean" && { authorized }),
  };
}
