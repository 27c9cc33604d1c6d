// An imported suite written down in our own format. Parts that all cases share stand once: resources, objects, user.

import { type KubeObject, nameOf, namespaceOf } from "@celadon/kube";
import { identityOf } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import { API_VERSION, SUITE_KIND } from "../suite/format.ts";
import type { CaseText, Situation, Source, SuiteText } from "../suite/read/document.ts";
import type { Case } from "../suite/suite.ts";
import type { Imported } from "./imported.ts";

/** A suite as the document that is written to a file. */
export interface SuiteDocument extends SuiteText {
  readonly apiVersion: string;
  readonly kind: string;
}

/** `resources`: replaces the suite's resources, for example by a file they are written to; in place without it. */
export function suiteDocument({ suite }: Pick<Imported, "suite">, resources?: readonly Source[]): SuiteDocument {
  const pool = new Pool(suite.cases);
  const shared = new Map(suite.resources.map(({ object }) => [identityOf(object), textOf(object)]));
  const defaults = defaultsOf(suite.cases);
  const isShared = ({ object }: Manifest): boolean => shared.get(identityOf(object)) === textOf(object);
  const tests = suite.cases.map((testCase) => caseText(testCase, pool, defaults, isShared));
  return {
    apiVersion: API_VERSION,
    kind: SUITE_KIND,
    metadata: { name: suite.name },
    resources: resources ?? suite.resources.map(({ object }) => object),
    ...(pool.objects.length > 0 && { objects: pool.objects }),
    ...(Object.keys(defaults).length > 0 && { defaults }),
    tests,
  };
}

/** Objects that several cases may name. Entries with an ambiguous name are written where they are used. */
class Pool {
  readonly objects: readonly KubeObject[];
  readonly #names = new Map<KubeObject, string>();

  constructor(cases: readonly Case[]) {
    const used = new Set<KubeObject>();
    for (const { object, oldObject } of cases)
      for (const manifest of [object, oldObject]) if (manifest) used.add(manifest.object);
    const answers = new Map<string, number>();
    for (const object of used) {
      for (const name of new Set([shortName(object), fullName(object)]))
        answers.set(name, (answers.get(name) ?? 0) + 1);
    }
    for (const object of used) {
      const name = fullName(object);
      if (answers.get(name) === 1 && nameOf(object) !== "" && !FILE.test(name)) this.#names.set(object, name);
    }
    this.objects = [...this.#names.keys()];
  }

  source({ object }: Manifest): Source {
    return this.#names.get(object) ?? object;
  }
}

/** A string that ends like this counts as a file. */
const FILE = /\.(?:ya?ml|json)$/i;
const shortName = (object: KubeObject): string => `${object.kind}/${nameOf(object)}`;

function fullName(object: KubeObject): string {
  const namespace = namespaceOf(object);
  return namespace === "" ? shortName(object) : `${object.kind}/${namespace}/${nameOf(object)}`;
}

function defaultsOf(cases: readonly Case[]): Situation {
  const [first] = cases;
  if (first === undefined) return {};
  const same = (key: "user" | "dryRun"): boolean =>
    first[key] !== undefined && cases.every((testCase) => textOf(testCase[key]) === textOf(first[key]));
  return {
    ...(same("user") && { user: first.user! }),
    ...(same("dryRun") && { dryRun: first.dryRun! }),
    ...(cases.every(({ serverDefaults }) => !serverDefaults) && { serverDefaults: false }),
  };
}

function caseText(
  testCase: Case,
  pool: Pool,
  defaults: Situation,
  isShared: (manifest: Manifest) => boolean,
): CaseText {
  const { name, operation, user, namespace, dryRun, policies, bindings, expect } = testCase;
  // In a DELETE, object is the deleted one.
  const object = operation === "DELETE" ? (testCase.oldObject ?? testCase.object) : testCase.object;
  const oldObject = operation === "DELETE" ? undefined : testCase.oldObject;
  const resources = testCase.resources.filter((manifest) => !isShared(manifest)).map((manifest) => manifest.object);
  const alone = expect !== undefined && Object.keys(expect).length === 1 ? expect.verdict : undefined;
  return {
    name,
    ...(operation === "DELETE" && { operation }),
    ...(object && { object: pool.source(object) }),
    ...(oldObject && { oldObject: pool.source(oldObject) }),
    ...(user && defaults.user === undefined && { user }),
    ...(namespace !== undefined && { namespace }),
    ...(dryRun !== undefined && defaults.dryRun === undefined && { dryRun }),
    ...(resources.length > 0 && { resources }),
    ...(policies && { policy: policies.length === 1 ? policies[0]! : policies }),
    ...(bindings && { binding: bindings.length === 1 ? bindings[0]! : bindings }),
    ...(!testCase.serverDefaults && defaults.serverDefaults === undefined && { serverDefaults: false }),
    ...(expect && { expect: alone ?? expect }),
  };
}

/** Equal for equal values. Large integers are bigints, which JSON does not know. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, item) => (typeof item === "bigint" ? `${item}n` : item));
