// The test suites of a workspace, run over its files: their problems, failing tests, and the tests that evaluate an expression. A run is
// kept until the suite or something that it reads changes.

import { type JsonPath, pushAll } from "@celadon/base";
import { type KubeObject, nameOf } from "@celadon/kube";
import type { Manifest } from "@celadon/simulator/manifests";
import {
  API_VERSION,
  type CaseResult,
  type Loader,
  readSuite,
  runSuite,
  SUITE_KIND,
  type SuiteIssue,
} from "@celadon/testing";
import { CoverageCollector, type RecordedExpression } from "@celadon/testing/coverage";
import type { PlacedResource } from "../document/file.ts";
import { isNamed } from "./suite-path.ts";

/** A test suite that was read and, where nothing is wrong with it, run. */
export interface SuiteRun {
  /** The manifest as it is in its file. */
  readonly manifest: Manifest;
  /** When there are some, no test was run. */
  readonly issues: readonly PlacedIssue[];
  readonly cases: readonly CaseResult[];
  readonly covering: Covering;
}

/** An issue, and the resource that it is about. */
export interface PlacedIssue extends SuiteIssue {
  readonly about: Manifest;
}

interface KnownRun {
  readonly read: readonly KubeObject[];
  readonly run: SuiteRun;
}

export class SuiteRuns {
  readonly #known = new WeakMap<KubeObject, KnownRun>();
  readonly #named = new Names();

  async all(placed: Iterable<PlacedResource>, pause?: () => Promise<void>): Promise<readonly SuiteRun[]> {
    const all = [...placed];
    const runs: SuiteRun[] = [];
    for (const resource of all) {
      if (!isSuite(resource.resource.object)) continue;
      await pause?.();
      runs.push(await this.#run(resource, all));
    }
    return runs;
  }

  async #run({ uri, resource: { manifest } }: PlacedResource, all: readonly PlacedResource[]): Promise<SuiteRun> {
    const { object } = manifest;
    const loaded: KubeObject[] = [];
    const loader: Loader = {
      load: async (path) => {
        const found = all.filter(
          ({ uri: other, resource }) => other !== uri && !resource.inSuite && isNamed(path, uri, other),
        );
        if (found.length === 0)
          return { manifests: [], issues: [{ message: `${path}: no such file in the workspace` }] };
        const manifests = found
          .filter(({ resource }) => !isSuite(resource.object))
          .map(({ resource }) => resource.manifest);
        pushAll(
          loaded,
          manifests.map((item) => item.object),
        );
        return { manifests: manifests.map((item) => this.#named.of(item)), issues: [] };
      },
    };
    const { origin } = this.#named.of(manifest);
    const { suite, issues } = await readSuite({ value: object, origin: origin! }, loader);
    const known = this.#known.get(object);
    if (known !== undefined && isSame(known.read, loaded)) return known.run;
    const placedIssues = (some: readonly SuiteIssue[]): PlacedIssue[] =>
      some.map((issue) => ({ ...issue, about: this.#named.find(issue.file) ?? manifest }));
    let run: SuiteRun = { manifest, issues: placedIssues(issues), cases: [], covering: new Covering() };
    if (suite !== undefined) {
      const collectors = new Map<string, CoverageCollector>();
      const result = await runSuite(suite, {
        observe: (test, simulated) => {
          const collector = new CoverageCollector();
          collectors.set(test.name, collector);
          return collector.watch(simulated);
        },
      });
      run = { manifest, issues: placedIssues(result.issues), cases: result.cases, covering: coveringOf(collectors) };
    }
    this.#known.set(object, { read: loaded, run });
    return run;
  }
}

/** Names of the tests that evaluated an expression, by resource and place. */
class Covering {
  readonly #tests = new Map<string, Map<string, string[]>>();

  add(test: string, { kind, name, path }: RecordedExpression): void {
    const resource = `${kind}/${name}`;
    let places = this.#tests.get(resource);
    if (places === undefined) this.#tests.set(resource, (places = new Map()));
    const tests = places.get(path);
    if (tests === undefined) places.set(path, [test]);
    else tests.push(test);
  }

  /** Undefined where no test evaluated anything of the resource. */
  of(kind: string, name: string, path: JsonPath): readonly string[] | undefined {
    const places = this.#tests.get(`${kind}/${name}`);
    return places && (places.get(path.join("/")) ?? []);
  }
}

function coveringOf(collectors: ReadonlyMap<string, CoverageCollector>): Covering {
  const covering = new Covering();
  for (const [test, collector] of collectors) {
    for (const expression of collector.evaluated()) covering.add(test, expression);
  }
  return covering;
}

export function isSuite({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion === API_VERSION && kind === SUITE_KIND;
}

function isSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((value, i) => value === others[i]);
}

/** Manifests of a workspace carry no file name, as their files may be renamed. Issues do, so each gets a name to be found by. */
class Names {
  readonly #named = new WeakMap<Manifest, Manifest>();
  readonly #byName = new Map<string, WeakRef<Manifest>>();

  of(manifest: Manifest): Manifest {
    const known = this.#named.get(manifest);
    if (known !== undefined || manifest.origin === undefined) return known ?? manifest;
    const { origin } = manifest;
    const file = `${nameOf(manifest.object)} ${this.#byName.size}`;
    const placed = <T extends { readonly file: string }>(position: T | undefined): T | undefined =>
      position && { ...position, file };
    const named: Manifest = {
      object: manifest.object,
      origin: {
        file,
        positionOf: (path, part) => placed(origin.positionOf(path, part)),
        positionIn: (path, offset) => placed(origin.positionIn(path, offset)),
        lineText: (line) => origin.lineText(line),
      },
    };
    this.#named.set(manifest, named);
    this.#byName.set(file, new WeakRef(manifest));
    return named;
  }

  find(file: string): Manifest | undefined {
    return this.#byName.get(file)?.deref();
  }
}
