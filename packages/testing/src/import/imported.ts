// A suite of another tool as a suite of ours, with what could not be brought over. Nothing is dropped silently: a case that cannot be run
// is present, with the reason.

import { pushAll } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import type { TextPosition } from "@celadon/kube/read";
import type { Manifest, Origin } from "@celadon/simulator/manifests";
import { placeOf } from "../suite/issue.ts";
import type { SuiteSource } from "../suite/read/read-suite.ts";
import type { Case, LoadIssue, Suite } from "../suite/suite.ts";
import { pathOfText } from "./path-of-text.ts";
import type { ConversionProblem, ConvertedPolicy } from "./policies/converted.ts";
import type { ConvertedMutations } from "./policies/kyverno-mutating-policy.ts";
import { paramDefinitions } from "./policies/param-definition.ts";

/** Tools whose suites are supported. */
export const TOOLS = ["kyverno", "gator", "kaptest", "kube-vap-test", "kubescape", "celtest"] as const;
/** A tool whose suites are supported. */
export type Tool = (typeof TOOLS)[number];

/** A suite of another tool, as one of ours. */
export interface Imported {
  readonly tool: Tool;
  readonly suite: Suite;
  /** The tool's expectation of a case, in its words, with remarks where ours differs. */
  readonly said: ReadonlyMap<Case, Said>;
  readonly skipped: readonly SkippedCase[];
  readonly policies: readonly ConvertedPolicy[];
  readonly problems: readonly PlacedProblem[];
}

/** The other tool's expectation of a case. */
export interface Said {
  readonly expected: string;
  /** About a different verdict, by the actual one. */
  readonly because?: Readonly<Record<string, string>>;
}

/** A case that cannot be run here, and why. */
export interface SkippedCase {
  readonly case: Case;
  readonly reason: string;
}

/** Something that was not converted, and where it is written. */
export interface PlacedProblem extends ConversionProblem {
  readonly file: string;
  readonly place?: TextPosition;
}

/** The result of an importer: a suite, or the problem of the document. */
export interface ImportReading {
  readonly imported?: Imported;
  readonly issues: readonly LoadIssue[];
}

/** Fetches documents of any shape that a suite names. */
export interface DocumentLoader {
  /** The documents of a file, a directory or a glob, named in the file `from`. */
  load(path: string, from: string): Promise<LoadedDocuments>;
}

/** Documents that a suite of another tool names. */
export interface LoadedDocuments {
  readonly documents: readonly SuiteSource[];
  readonly issues: readonly LoadIssue[];
}

/** Collects the parts while a document is read. */
export class Importing {
  readonly cases: Case[] = [];
  readonly said: Map<Case, Said> = new Map();
  readonly skipped: SkippedCase[] = [];
  readonly issues: LoadIssue[] = [];
  readonly policies: ConvertedPolicy[] = [];
  readonly problems: PlacedProblem[] = [];
  readonly resources: Manifest[] = [];
  /** Policies that mutate, brought over or not. */
  readonly mutating: ConvertedMutations[] = [];
  readonly origin: Origin;
  readonly #value: unknown;
  readonly #loader: DocumentLoader;
  readonly #loads = new Map<string, Promise<readonly SuiteSource[]>>();
  readonly #names = new Map<string, number>();

  constructor({ value, origin }: SuiteSource, loader: DocumentLoader) {
    this.#value = value;
    this.origin = origin;
    this.#loader = loader;
  }

  /** All documents of several paths. `anywhere`: files that are not beside the suite may be in the working directory. */
  async load(paths: readonly string[], anywhere = false): Promise<readonly SuiteSource[]> {
    const found: SuiteSource[] = [];
    for (const path of paths) pushAll(found, await this.#loadFile(path, anywhere));
    return found;
  }

  /** The same for optional files; a text names the missing one. */
  async loadIfThere(paths: readonly string[]): Promise<readonly SuiteSource[] | string> {
    const found: SuiteSource[] = [];
    for (const path of paths) {
      const { documents, issues } = await this.#loader.load(path, this.origin.file);
      const missing = issues.find(({ line }) => line === undefined);
      if (missing !== undefined) return missing.message;
      pushAll(this.issues, issues);
      pushAll(found, documents);
    }
    return found;
  }

  #loadFile(path: string, anywhere: boolean): Promise<readonly SuiteSource[]> {
    let load = this.#loads.get(path);
    if (load === undefined) {
      load = this.#find(path, anywhere).then(({ documents, issues }) => {
        pushAll(
          this.issues,
          issues.map((issue) => this.#placed(issue, path)),
        );
        return documents;
      });
      this.#loads.set(path, load);
    }
    return load;
  }

  async #find(path: string, anywhere: boolean): Promise<LoadedDocuments> {
    const beside = await this.#loader.load(path, this.origin.file);
    if (!anywhere || beside.issues.every(({ line }) => line !== undefined)) return beside;
    const elsewhere = await this.#loader.load(path, ".");
    return elsewhere.issues.length === 0 ? elsewhere : beside;
  }

  /** A problem of a path stands where the suite names the path. */
  #placed(issue: LoadIssue, path: string): LoadIssue {
    if (issue.line !== undefined) return issue;
    const found = pathOfText(this.#value, path);
    const place = found && placeOf(this.origin, found);
    return place === undefined ? issue : { ...issue, line: place.line, column: place.column };
  }

  convert(
    made: { readonly policies: readonly ConvertedPolicy[]; readonly problems: readonly ConversionProblem[] },
    origin: Origin,
  ): void {
    pushAll(this.policies, made.policies);
    for (const problem of made.problems) {
      const place = placeOf(origin, problem.path);
      this.problems.push({ ...problem, file: origin.file, ...(place && { place }) });
    }
  }

  /** Names are made unique: tools let several cases have the same. */
  add(newCase: NewCase, said: Said): void {
    const made = this.#case(newCase);
    this.cases.push(made);
    this.said.set(made, said);
  }

  skip(newCase: NewCase, reason: string): void {
    this.skipped.push({ case: this.#case(newCase), reason });
  }

  #case({ name: wanted, path, ...more }: NewCase): Case {
    const count = (this.#names.get(wanted) ?? 0) + 1;
    this.#names.set(wanted, count);
    const place = placeOf(this.origin, path);
    return {
      name: count === 1 ? wanted : `${wanted} #${count}`,
      path,
      ...(place && { place }),
      operation: "CREATE",
      resources: [],
      authorizer: [],
      serverDefaults: true,
      serverValidation: true,
      ...more,
      expectPath: path,
    };
  }

  done(tool: Tool, name: string): ImportReading {
    if (this.issues.length > 0) return { issues: this.issues };
    const { cases, said, skipped, policies, problems, origin } = this;
    const made = policies.flatMap(({ policy, bindings, params }) => [policy, ...bindings, ...params]);
    const resources = [...made.map((object) => ({ object: object as KubeObject })), ...this.resources];
    const everything = [...resources, ...cases.flatMap((testCase) => testCase.resources)].map(({ object }) => object);
    const definitions = paramDefinitions(policies, everything).map((object) => ({ object }));
    const suite: Suite = { name, origin, resources: distinct([...definitions, ...resources]), cases };
    return { imported: { tool, suite, said, skipped, policies, problems }, issues: [] };
  }
}

export type NewCase = Pick<Case, "name" | "path"> & Partial<Omit<Case, "place" | "expectPath">>;

function distinct(manifests: readonly Manifest[]): readonly Manifest[] {
  const seen = new Set<KubeObject>();
  return manifests.filter(({ object }) => !seen.has(object) && seen.add(object));
}

/** A document that is an object of Kubernetes. */
export function asManifest({ value, origin }: SuiteSource): Manifest {
  return { object: value as KubeObject, origin };
}

/** `a/b/.kyverno-test/kyverno-test.yaml` → `b`: suites of most tools have no name of their own. */
export function nameFromFile(file: string): string {
  const directories = file.split(/[\\/]/).slice(0, -1);
  return directories.findLast((part) => part !== "" && !part.startsWith(".")) ?? "suite";
}
