// From a document to a suite, or everything that is wrong with it. The shape comes first; references are followed only in a document with a
// correct shape.

import { type JsonPath, pushAll } from "@celadon/base";
import { CURRENT, FIRST } from "@celadon/kube-cel";
import { deriveWorkloads, type Manifest, type Origin } from "@celadon/simulator/manifests";
import { SUITE } from "../format.ts";
import { issueAt, type SuiteIssue } from "../issue.ts";
import { References } from "../references.ts";
import type { Case, Loader, Suite } from "../suite.ts";
import { checkShape } from "./check-shape.ts";
import type { Source, SuiteText } from "./document.ts";
import { knownMinors } from "./kube-version.ts";
import { Names } from "./names.ts";
import { CaseReader } from "./read-case.ts";

/** A suite, or its problems. */
export interface SuiteReading {
  /** Absent when there are issues. */
  readonly suite?: Suite;
  readonly issues: readonly SuiteIssue[];
}

/** The document of a suite, and where it is written. */
export interface SuiteSource {
  readonly value: unknown;
  readonly origin: Origin;
}

export interface ReadSuiteOptions {
  /** Derive policies for workloads, also where the suite does not ask for it. */
  readonly autogen?: boolean;
}

/** Reads a suite and the files it names. */
export async function readSuite(
  { value, origin }: SuiteSource,
  loader: Loader,
  options: ReadSuiteOptions = {},
): Promise<SuiteReading> {
  const shape = checkShape(value, SUITE, origin);
  if (shape.length > 0) return { issues: shape };
  const text = value as SuiteText;
  const issues: SuiteIssue[] = [];
  const references = new References(origin, loader);

  const { kubeVersion } = text;
  const kubeVersions = kubeVersion === undefined ? undefined : knownMinors(kubeVersion);
  if (kubeVersion !== undefined && kubeVersions === undefined) {
    const message = `unknown Kubernetes version ${JSON.stringify(kubeVersion)} in kubeVersion`;
    const hint = `write "${CURRENT}" or "1.33..${CURRENT}"; versions from ${FIRST} to ${CURRENT} are known`;
    issues.push(issueAt(origin, ["kubeVersion"], "unknown_value", message, { hint }));
  }
  const entries = await loadAll(text.resources ?? [], ["resources"], references);
  const given = entries.flatMap(({ manifests }) => manifests);
  const autogen = text.autogen ?? options.autogen ?? false;
  const kinds = Array.isArray(autogen) ? autogen : undefined;
  const resources = autogen === false ? given : [...given, ...deriveWorkloads(given, kinds).manifests];
  references.setPool(
    (await loadAll(text.objects ?? [], ["objects"], references)).flatMap(({ manifests }) => manifests),
  );

  const reader = new CaseReader(origin, references, text.defaults ?? {});
  const cases: Case[] = [];
  for (const [i, test] of text.tests.entries()) {
    const path: JsonPath = ["tests", i];
    const layers = [{ text: test, path }];
    if (test.cases === undefined) cases.push(await reader.read(layers));
    else {
      for (const [j, testCase] of test.cases.entries()) {
        cases.push(await reader.read([...layers, { text: testCase, path: [...path, "cases", j] }]));
      }
    }
  }
  pushAll(issues, references.issues, reader.issues);
  if (cases.length === 0) issues.push(issueAt(origin, ["tests"], "no_tests", "the suite has no tests"));
  pushAll(issues, duplicates(cases, origin));
  // A resource that is missing for another reason would be reported a second time.
  if (issues.length === 0) {
    const everything = [...resources, ...cases.flatMap((testCase) => testCase.resources)];
    const names = new Names(origin, everything);
    for (const testCase of cases) pushAll(issues, names.checkCase(testCase));
    for (const { manifests, path } of entries) pushAll(issues, names.checkUse(manifests, path));
  }
  if (issues.length > 0) return { issues: inOrder(issues) };
  const name = text.metadata?.name ?? fileName(origin.file);
  const suite: Suite = { name, origin, resources, cases };
  if (kubeVersions === undefined) return { suite, issues };
  return { suite: { ...suite, kubeVersion: kubeVersions.at(-1)!, kubeVersions }, issues };
}

interface Entry {
  readonly path: JsonPath;
  readonly manifests: readonly Manifest[];
}

async function loadAll(sources: readonly Source[], path: JsonPath, references: References): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (const [i, source] of sources.entries()) {
    const at = [...path, i];
    entries.push({ path: at, manifests: await references.many(source, at) });
  }
  return entries;
}

function duplicates(cases: readonly Case[], origin: Origin): SuiteIssue[] {
  const seen = new Set<string>();
  return cases.flatMap(({ name, path }) => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [issueAt(origin, [...path, "name"], "duplicate_name", `another case is named ${JSON.stringify(name)} too`)];
  });
}

function inOrder(issues: readonly SuiteIssue[]): readonly SuiteIssue[] {
  return [...issues].sort((a, b) =>
    a.file === b.file ? (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0) : a.file < b.file ? -1 : 1,
  );
}

function fileName(file: string): string {
  return file
    .split(/[\\/]/)
    .at(-1)!
    .replace(/\.(?:ya?ml|json)$/i, "");
}
