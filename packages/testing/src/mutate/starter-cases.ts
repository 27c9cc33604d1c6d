// First cases for a policy or definition without any: an object it allows, and for each of its clauses one that it denies, by this clause
// alone if possible, as small as possible, with the params and namespaces they need.

import { createSchemas } from "@celadon/admission/memory";
import { gvkOf, type KubeObject, nameOf } from "@celadon/kube";
import type { Problem } from "@celadon/simulator";
import { type Manifest, roleOf } from "@celadon/simulator/manifests";
import { accepts } from "../generate/accepts.ts";
import { shrinkAsync } from "../shrink/shrink.ts";
import type { CaseText } from "../suite/read/document.ts";
import { runCase } from "../suite/run-suite.ts";
import { SimulatedClusters } from "../suite/simulated-clusters.ts";
import { caseOf, isWhole, type Setting, type Situation, testOf } from "./situation.ts";
import { sourceFor } from "./situations-from-schemas.ts";

/** Limits on the search for starter cases. */
export interface StarterOptions {
  readonly seed?: number;
  /** Objects that are tried. */
  readonly tries?: number;
}

const TRIES = 1500;
const SHRINK_STEPS = 120;
/** The length of a message in a name. */
const SHOWN = 60;

/** The verdict that a case shows: that it is allowed, or the clause that denies it. */
interface Shown {
  readonly key: string;
  readonly verdict: "allow" | "deny";
  readonly name: string;
}

/** None if nothing is in force, or nothing can be generated. The resources are those of the suite, including the manifest. */
export async function starterCases(
  resources: readonly Manifest[],
  manifest: Manifest,
  { seed = 1, tries = TRIES }: StarterOptions = {},
): Promise<readonly CaseText[]> {
  const { object } = manifest;
  const name = nameOf(object);
  const clusters = new SimulatedClusters({ resources });
  const schemas = createSchemas({});
  const policies = roleOf(object) === "policy" && { policies: [name] };
  const setting: Setting = {
    name,
    path: [],
    expectPath: [],
    ...policies,
    serverDefaults: true,
    serverValidation: true,
  };
  const { kind } = (object.spec as { names?: { kind?: string } } | undefined)?.names ?? {};
  const isSubject = (subject: KubeObject): boolean => roleOf(object) !== "definition" || subject.kind === kind;
  const isLegal = ({ object: subject, oldObject }: Situation): boolean =>
    [subject, oldObject].every((kubeObject) => {
      const schema = kubeObject && schemas.schema(gvkOf(kubeObject));
      return schema === undefined || accepts(schema, kubeObject, { exact: false });
    });
  /** Finds the verdict of a situation; with `clause`, whether it shows that one, perhaps among others. */
  const shownBy = async (situation: Situation, clause?: string): Promise<readonly Shown[]> => {
    if (!isLegal(situation)) return [];
    const testCase = caseOf(situation, setting);
    const { observed, outcome } = await runCase(testCase, clusters.of(testCase));
    if (observed?.verdict === "allow") return [{ key: "", verdict: "allow", name: `${name} allows it` }];
    if (observed?.verdict !== "deny") return [];
    const shown = (outcome?.problems ?? []).map((problem) => clauseOf(problem, name));
    const known = shown.filter((item) => item !== undefined);
    const isAsked = clause === undefined || known.some(({ key }) => key === clause);
    return known.length === shown.length && isAsked ? known : [];
  };
  const found = new Map<string, CaseText>();
  const shared = new Map<string, readonly [Situation, Shown]>();
  const keep = async (situation: Situation, { key, verdict, name: title }: Shown, alone: boolean): Promise<void> => {
    let least = title;
    const isSmaller = async (smaller: Situation): Promise<boolean> => {
      if (!isWhole(smaller, situation, false)) return false;
      const shown = await shownBy(smaller, key);
      const same = shown.find((item) => item.key === key);
      if (same === undefined || (alone && shown.length !== 1)) return false;
      least = same.name;
      return true;
    };
    const smallest = await shrinkAsync(situation, isSmaller, { steps: SHRINK_STEPS });
    found.set(key, testOf(least, smallest, setting, { verdict }));
  };
  // Objects of the inputs are shown as they are: their authors know them.
  for (const { object: subject } of clusters.base.manifests("object").filter((item) => isSubject(item.object))) {
    const situation: Situation = { operation: "CREATE", object: subject };
    const [first, ...others] = await shownBy(situation);
    if (first === undefined || others.length > 0 || found.has(first.key)) continue;
    found.set(first.key, testOf(first.name, situation, setting, { verdict: first.verdict }));
  }
  let left = tries;
  const most = clausesOf(object) + 1;
  for (const situation of sourceFor(object, undefined, [], clusters.base).situations(seed)) {
    if (left-- <= 0 || found.size >= most) break;
    const shown = await shownBy(situation);
    const [first] = shown;
    if (shown.length === 1 && first !== undefined && !found.has(first.key)) await keep(situation, first, true);
    else for (const item of shown) if (!shared.has(item.key)) shared.set(item.key, [situation, item]);
  }
  for (const [key, [situation, shown]] of shared) if (!found.has(key)) await keep(situation, shown, false);
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, test]) => test);
}

/** The number of clauses that may deny; unbounded for a definition, whose schema has clauses of its own. */
function clausesOf(object: KubeObject): number {
  const { validations } = (object.spec ?? {}) as { validations?: readonly unknown[] };
  return roleOf(object) === "policy" ? (validations?.length ?? 0) : Infinity;
}

/** An expression that fails is no clause that denies. */
function clauseOf({ by, message }: Problem, name: string): Shown | undefined {
  if (by?.path === undefined || by.error === true) return undefined;
  const [line = ""] = message.split("\n", 1);
  const short = line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
  return { key: JSON.stringify(by.path), verdict: "deny", name: `${name} denies it: ${short}` };
}
