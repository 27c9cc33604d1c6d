// Suites from recorded policies: every case of the corpus as a suite of ours, written down, read again and run. What the sources
// expect of their objects has to come. Reads ../shared/corpus beside the repository; skipped with a notice where it is not there.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Operation, UserInfo } from "@celadon/admission";
import type { KubeObject } from "@celadon/kube";
import type { Manifest, Origin } from "@celadon/simulator";
import { describe, expect, test } from "vitest";
import { readSuite } from "../suite/read-suite.ts";
import { runSuite } from "../suite/run-suite.ts";
import type { Case, Suite } from "../suite/suite.ts";
import { documents } from "./import.testing.ts";
import { suiteDocument } from "./to-document.ts";

const CORPUS = fileURLToPath(new URL("../../../../../shared/corpus/policies/", import.meta.url));
const SOURCES = ["kyverno", "gatekeeper", "kubescape"];

interface Expected {
  readonly allowed: boolean | null;
  readonly operation: Operation;
  readonly oldObject?: string;
  readonly verdictFrom?: string;
  readonly userInfo?: UserInfo;
  readonly namespaceLabels?: Readonly<Record<string, string>>;
  readonly namespaceAnnotations?: Readonly<Record<string, string>>;
  readonly dependsOnServerDefaults?: boolean;
}

/** Tools that have no server, which would fill in defaults. */
const WITHOUT_SERVER = new Set(["kyverno-cli", "gator"]);

/** Cases that the API server would not take, with why. One that it takes after all fails the test. */
const REFUSED: Readonly<Record<string, string>> = {
  "kasten-cel--k10-validate-ns-by-preset-label": "a message has several lines",
};

/** How many objects have to be there, so that none is lost in silence. */
const AT_LEAST: Readonly<Record<string, number>> = { kyverno: 950, gatekeeper: 78, kubescape: 270 };

function manifestsOf(file: string): Manifest[] {
  if (!existsSync(file)) return [];
  return documents(readFileSync(file, "utf8"), file).map(({ value, origin }) => ({
    object: value as KubeObject,
    origin,
  }));
}

function suiteOf(directory: string, name: string): Suite {
  const { objects } = JSON.parse(readFileSync(`${directory}/expected.json`, "utf8")) as {
    objects: Record<string, Expected>;
  };
  const object = (file: string): Manifest => manifestsOf(`${directory}/objects/${file}`)[0]!;
  const resources = ["crds", "policy", "binding", "params"].flatMap((part) => manifestsOf(`${directory}/${part}.yaml`));
  const told = Object.entries(objects).filter(
    ([, { allowed, operation }]) => allowed !== null && operation !== ("CONNECT" as Operation),
  );
  return {
    name,
    origin: NOWHERE,
    resources,
    cases: told.map(([file, one]): Case => {
      const subject = object(file);
      const namespace = subject.object.metadata?.namespace ?? "default";
      const metadata = {
        name: namespace,
        labels: { "kubernetes.io/metadata.name": namespace, ...one.namespaceLabels },
        ...(one.namespaceAnnotations && { annotations: one.namespaceAnnotations }),
      };
      const described = one.namespaceLabels !== undefined || one.namespaceAnnotations !== undefined;
      return {
        name: file,
        path: [],
        operation: one.operation,
        object: subject,
        ...(one.oldObject !== undefined && { oldObject: object(one.oldObject) }),
        ...(one.userInfo && { user: one.userInfo }),
        resources: described ? [{ object: { apiVersion: "v1", kind: "Namespace", metadata } }] : [],
        authorizer: [],
        serverDefaults: one.dependsOnServerDefaults === true || !WITHOUT_SERVER.has(one.verdictFrom ?? ""),
        serverValidation: false,
        expect: { allowed: one.allowed! },
        expectPath: [],
      };
    }),
  };
}

const NOWHERE: Origin = {
  file: "tests.yaml",
  positionOf: () => undefined,
  positionIn: () => undefined,
  lineText: () => undefined,
};

if (!existsSync(CORPUS)) console.warn(`no corpus at ${CORPUS}: its suites are not run`);

describe.skipIf(!existsSync(CORPUS)).each(SOURCES)("%s", (source) => {
  test("what its suites expect comes", async () => {
    const wrong: string[] = [];
    let agreed = 0;
    for (const name of readdirSync(`${CORPUS}${source}`).sort()) {
      const suite = suiteOf(`${CORPUS}${source}/${name}`, name);
      if (suite.cases.length === 0) continue;
      const written = suiteDocument({ suite });
      const { suite: read, issues } = await readSuite(
        { value: written, origin: NOWHERE },
        { load: async () => ({ manifests: [], issues: [] }) },
      );
      expect(issues, name).toEqual([]);
      const { cases, issues: refused } = await runSuite(read!);
      if (refused.length > 0 !== Object.hasOwn(REFUSED, name)) wrong.push(`${name}: ${refused[0]?.message}`);
      for (const { case: one, differences, outcome } of cases) {
        // Nothing may be there to say no; that it was not even asked is for the suite's author to see.
        const different = differences.filter(({ aspect }) => aspect !== "matched");
        if (different.length > 0) wrong.push(`${name}/${one.name}: ${outcome?.allowed} ${outcome?.status?.message}`);
        else agreed++;
      }
    }
    expect(wrong).toEqual([]);
    expect(agreed).toBeGreaterThanOrEqual(AT_LEAST[source]!);
  }, 120_000);
});
