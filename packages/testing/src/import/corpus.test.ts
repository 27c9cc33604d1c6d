// Suites from recorded policies: every case of the corpus as a suite of ours, written down, read again and run. The cases must have the
// results that their sources expect. Skipped with a notice where there is no corpus.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { Operation, UserInfo } from "@celadon/admission";
import type { KubeObject } from "@celadon/kube";
import type { Manifest, Origin } from "@celadon/simulator/manifests";
import { describe, expect, test } from "vitest";
import { CORPUS, hasCorpus } from "../../../../conformance/src/corpus/corpus-directory.ts";
import { readSuite } from "../suite/read/read-suite.ts";
import { runSuite } from "../suite/run-suite.ts";
import type { Case, Suite } from "../suite/suite.ts";
import { documents } from "./import.testing.ts";
import { suiteDocument } from "./to-document.ts";

const POLICIES = `${CORPUS}/policies/`;
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

/** The number of objects that must exist, so that none is lost in silence. */
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
    cases: told.map(([file, expected]): Case => {
      const subject = object(file);
      const namespace = subject.object.metadata?.namespace ?? "default";
      const metadata = {
        name: namespace,
        labels: { "kubernetes.io/metadata.name": namespace, ...expected.namespaceLabels },
        ...(expected.namespaceAnnotations && { annotations: expected.namespaceAnnotations }),
      };
      const described = expected.namespaceLabels !== undefined || expected.namespaceAnnotations !== undefined;
      return {
        name: file,
        path: [],
        operation: expected.operation,
        object: subject,
        ...(expected.oldObject !== undefined && { oldObject: object(expected.oldObject) }),
        ...(expected.userInfo && { user: expected.userInfo }),
        resources: described ? [{ object: { apiVersion: "v1", kind: "Namespace", metadata } }] : [],
        authorizer: [],
        serverDefaults: expected.dependsOnServerDefaults === true || !WITHOUT_SERVER.has(expected.verdictFrom ?? ""),
        serverValidation: false,
        expect: { allowed: expected.allowed! },
        expectPath: [],
      };
    }),
  };
}

/** They call `orValue` on a value that is no optional, which fails since Kubernetes 1.37; the suites were written for older versions. */
const CHANGED = ["other-vpol--require-emptydir-requests-limits", "other-vpol--require-qos-guaranteed"];

const NOWHERE: Origin = {
  file: "tests.yaml",
  positionOf: () => undefined,
  positionIn: () => undefined,
  lineText: () => undefined,
};

describe.skipIf(!hasCorpus).each(SOURCES)("%s", (source) => {
  test("what its suites expect comes", async () => {
    const wrong: string[] = [];
    let agreed = 0;
    for (const name of readdirSync(`${POLICIES}${source}`).sort()) {
      const suite = suiteOf(`${POLICIES}${source}/${name}`, name);
      if (suite.cases.length === 0) continue;
      const written = suiteDocument({ suite });
      const { suite: read, issues } = await readSuite(
        { value: written, origin: NOWHERE },
        { load: async () => ({ manifests: [], issues: [] }) },
      );
      expect(issues, name).toEqual([]);
      const { cases, issues: refused } = await runSuite(read!);
      if (refused.length > 0 !== Object.hasOwn(REFUSED, name)) wrong.push(`${name}: ${refused[0]?.message}`);
      for (const { case: testCase, differences, outcome } of cases) {
        // A case without a policy that could deny is for the suite's author to see.
        const different = differences.filter(({ aspect }) => aspect !== "matched");
        if (different.length > 0 && !CHANGED.some((policy) => name === policy))
          wrong.push(`${name}/${testCase.name}: ${outcome?.allowed} ${outcome?.status?.message}`);
        else agreed++;
      }
    }
    expect(wrong).toEqual([]);
    expect(agreed).toBeGreaterThanOrEqual(AT_LEAST[source]!);
  }, 120_000);
});
