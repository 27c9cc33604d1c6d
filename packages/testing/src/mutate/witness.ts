// The smallest situation found in which the original and a surviving mutant decide differently: the gap of the suite. The suite's own cases
// come first, then neighbours of them and generated ones in turn. Bounded by the number of tries; the same suite, mutant and seed give the
// same answer.

import { createSchemas } from "@celadon/admission/memory";
import { gvkOf, type KubeObject, nameOf } from "@celadon/kube";
import { type Role, roleOf } from "@celadon/simulator/manifests";
import { accepts } from "../generate/accepts.ts";
import { Random, seedFor } from "../generate/random.ts";
import { shrinkAsync } from "../shrink/shrink.ts";
import type { CaseText } from "../suite/read/document.ts";
import { runCase } from "../suite/run-suite.ts";
import { SimulatedClusters } from "../suite/simulated-clusters.ts";
import type { Suite } from "../suite/suite.ts";
import { type Distinction, distinguish } from "./distinction.ts";
import { applyEdit } from "./edit.ts";
import { editsOf, neighboursOf } from "./neighbours.ts";
import type { PlannedMutant } from "./plan.ts";
import { caseOf, isWhole, type Setting, type Situation, settingOf, situationOf, testOf } from "./situation.ts";
import { type Source, sourceFor } from "./situations-from-schemas.ts";
import type { SuiteTrial } from "./trial.ts";

/** An input on which a change shows, as a case for the suite. */
export interface Witness {
  /** The suite it can be added to, as an entry of `tests`. */
  readonly suite: string;
  readonly test: CaseText;
  /** `allow, with the mutant deny` */
  readonly difference: string;
}

export interface WitnessOptions {
  readonly seed?: number;
  /** Situations that are tried; 600 by default. */
  readonly tries?: number;
  readonly signal?: { readonly aborted: boolean };
}

/** Inputs tried for a change that no case detects, by default. */
export const DEFAULT_TRIES = 600;
/** Cases of the suite whose neighbours are tried. */
const NEIGHBOURHOODS = 4;
const SHRINK_STEPS = 250;
/** Combinations of several changes, including those that a server would refuse. */
const DOUBLES = 1000;

interface Candidate {
  readonly situation: Situation;
  readonly setting: Setting;
}

/** Undefined if none was found: the mutant may be equivalent to the original. */
export async function findWitness(
  trial: SuiteTrial,
  mutant: PlannedMutant,
  { seed = 1, tries = DEFAULT_TRIES, signal }: WitnessOptions = {},
): Promise<Witness | undefined> {
  const changed = trial.changed(mutant);
  const manifest = trial.resource(mutant.key);
  if (changed === undefined || manifest === undefined) return undefined;
  const original = new SimulatedClusters(trial.suite, undefined, trial.clusters.base);
  const tell = async ({ situation, setting }: Candidate): Promise<Distinction | undefined> => {
    const testCase = caseOf(situation, setting);
    return distinguish(await runCase(testCase, original.of(testCase)), await runCase(testCase, changed.of(testCase)));
  };
  const search = new Search(trial, mutant, manifest.object, seed);
  let best: { readonly candidate: Candidate; readonly distinction: Distinction } | undefined;
  let left = tries;
  for (const candidate of search.candidates()) {
    if (left-- <= 0 || signal?.aborted) break;
    const distinction = await tell(candidate);
    if (distinction !== undefined && distinction.rank < (best?.distinction.rank ?? 3))
      best = { candidate, distinction };
    if (best?.distinction.rank === 0) break;
  }
  if (best === undefined) return undefined;
  const { candidate, distinction } = best;
  const { setting } = candidate;
  const keepUser = trial.suite.cases.every(({ user }) => user !== undefined);
  const strict = search.isLegal(candidate.situation);
  const situation = await shrinkAsync(
    candidate.situation,
    async (smaller) => {
      if (!isWhole(smaller, candidate.situation, keepUser) || (strict && !search.isLegal(smaller))) return false;
      return (await tell({ situation: smaller, setting }))?.difference === distinction.difference;
    },
    { steps: SHRINK_STEPS, ...(signal && { signal }) },
  );
  const { expect, difference } = (await tell({ situation, setting })) ?? distinction;
  return { suite: trial.suite.name, test: testOf(nameFor(mutant), situation, setting, expect), difference };
}

/** `comparison-changed at policy.yaml:17:49` */
function nameFor({ id, mutator, place }: PlannedMutant): string {
  if (place === undefined) return id;
  const again = /:\d+$/.exec(id)?.[0].replace(":", " ") ?? "";
  return `${mutator}${again} at ${place.file.split(/[\\/]/).at(-1)}:${place.line}:${place.column}`;
}

class Search {
  readonly #trial: SuiteTrial;
  readonly #mutant: PlannedMutant;
  readonly #source: Source;
  readonly #setting: Setting;
  readonly #random: Random;
  readonly #seed: number;
  readonly #schemas: ReturnType<typeof createSchemas>;

  constructor(trial: SuiteTrial, mutant: PlannedMutant, original: KubeObject, seed: number) {
    const { base } = trial.clusters;
    this.#trial = trial;
    this.#mutant = mutant;
    this.#source = sourceFor(original, applyEdit(original, mutant.edit), mutant.edit.path, base);
    this.#setting = settingFor(trial, original, mutant.id);
    this.#seed = seedFor(seed, mutant.id);
    this.#random = new Random(this.#seed);
    this.#schemas = createSchemas({});
  }

  /** Whether a server would accept built-in objects. Custom ones are validated when they are reviewed. */
  isLegal({ object, oldObject }: Situation): boolean {
    return [object, oldObject].every((kubeObject) => {
      const schema = kubeObject && this.#schemas.schema(gvkOf(kubeObject));
      return schema === undefined || accepts(schema, kubeObject, { exact: false });
    });
  }

  *candidates(): Generator<Candidate> {
    const cases = this.#trial.casesFor(this.#mutant);
    const own = (cases.length > 0 ? cases : this.#trial.suite.cases).map(
      (testCase): Candidate => ({
        situation: situationOf(testCase),
        setting: settingOf(testCase),
      }),
    );
    yield* own;
    const queues: Iterator<Candidate>[] = [
      ...own.slice(0, NEIGHBOURHOODS).map((from) => this.#neighbours(from)),
      this.#generated(),
      this.#double(own),
    ];
    while (queues.length > 0) {
      for (const queue of [...queues]) {
        const next = queue.next();
        if (next.done) queues.splice(queues.indexOf(queue), 1);
        else yield next.value;
      }
    }
  }

  /** A neighbour of an acceptable situation is checked for acceptance too. */
  *#neighbours({ situation, setting }: Candidate): Generator<Candidate> {
    const strict = this.isLegal(situation);
    for (const other of neighboursOf(situation, this.#source.clues)) {
      if (!strict || this.isLegal(other)) yield { situation: other, setting };
    }
  }

  *#generated(): Generator<Candidate> {
    const setting = this.#setting;
    const user = commonUser(this.#trial.suite);
    for (const made of this.#source.situations(this.#seed)) {
      const placed = inNamespace(made, setting.namespace);
      yield { situation: user && placed.user === undefined ? { ...placed, user } : placed, setting };
    }
  }

  /** Two or three changes at once, at random. */
  *#double(own: readonly Candidate[]): Generator<Candidate> {
    for (let left = DOUBLES; left > 0 && own.length > 0; left--) {
      const { situation, setting } = own[this.#random.below(own.length)]!;
      let { object } = situation;
      for (let times = 2 + this.#random.below(2); times > 0 && object !== undefined; times--) {
        const edits = [...editsOf(object, this.#source.clues)];
        const edit = edits[this.#random.below(edits.length)];
        if (edit !== undefined) object = applyEdit(object, edit);
      }
      if (object === undefined) return;
      const other = { ...situation, object };
      if (this.isLegal(other) || !this.isLegal(situation)) yield { situation: other, setting };
    }
  }
}

const SPEAKERS: readonly Role[] = ["policy", "mutatingPolicy", "webhooks", "certificatePolicy", "definition"];

/** The surroundings of generated situations: the defaults that all cases share, and only the parts that the mutant needs. */
function settingFor({ suite, clusters }: SuiteTrial, original: KubeObject, name: string): Setting {
  const namespaces = new Set(suite.cases.map(({ namespace }) => namespace));
  const [namespace] = namespaces.size === 1 ? namespaces : [];
  const spec = original.spec as { policyName?: string } | undefined;
  const about =
    roleOf(original) === "binding" || roleOf(original) === "mutatingBinding"
      ? (spec?.policyName ?? "")
      : nameOf(original);
  const alone = clusters.base.manifests(...SPEAKERS).length <= 1;
  return {
    name,
    path: [],
    expectPath: [],
    serverDefaults: true,
    serverValidation: false,
    ...(namespace !== undefined && { namespace }),
    ...(!alone && { policies: [about] }),
  };
}

function commonUser({ cases }: Suite): Situation["user"] {
  return cases.every(({ user }) => user !== undefined) ? cases[0]?.user : undefined;
}

/** Objects are generated for the namespace "default". */
function inNamespace(situation: Situation, namespace: string | undefined): Situation {
  if (namespace === undefined) return situation;
  const moved = (object: KubeObject): KubeObject => {
    const metadata = object.metadata ?? {};
    if (object.kind === "Namespace" && metadata.name === "default") {
      const labels = { ...metadata.labels, "kubernetes.io/metadata.name": namespace };
      return { ...object, metadata: { ...metadata, name: namespace, labels } };
    }
    return metadata.namespace === "default" ? { ...object, metadata: { ...metadata, namespace } } : object;
  };
  const { object, oldObject, resources } = situation;
  return {
    ...situation,
    ...(object && { object: moved(object) }),
    ...(oldObject && { oldObject: moved(oldObject) }),
    ...(resources && { resources: resources.map(moved) }),
  };
}
