// Suites from text, with files that are texts too.

import type { KubeObject } from "@celadon/kube";
import { readDocuments } from "@celadon/kube/read";
import type { Manifest, Origin } from "@celadon/simulator/manifests";
import { suiteIssueText } from "./issue.ts";
import { readSuite, type SuiteReading } from "./read/read-suite.ts";
import { type RunOptions, runSuite, type SuiteResult } from "./run-suite.ts";
import type { Loader } from "./suite.ts";

export type Texts = Readonly<Record<string, string>>;

export function manifestsOf(text: string, file: string): Manifest[] {
  const { documents, issues } = readDocuments(text, { file });
  if (issues.length > 0) throw new Error(issues[0]!.message);
  const lines = text.split("\n");
  return documents.map(({ value, positionOf, positionIn }) => {
    const origin: Origin = {
      file,
      positionOf,
      positionIn,
      lineText: (line) => lines[line - 1],
    };
    return { object: value as KubeObject, origin };
  });
}

export function loaderOf(files: Texts): Loader {
  return {
    load: async (path) => {
      const names = Object.keys(files).filter((name) => name === path || (path.endsWith("/") && name.startsWith(path)));
      if (names.length === 0) return { manifests: [], issues: [{ message: `${path}: no such file` }] };
      return { manifests: names.flatMap((name) => manifestsOf(files[name]!, name)), issues: [] };
    },
  };
}

export function read(text: string, files: Texts = {}): Promise<SuiteReading> {
  const [manifest] = manifestsOf(text, "tests.yaml");
  return readSuite({ value: manifest!.object, origin: manifest!.origin! }, loaderOf(files));
}

/** Every issue as one line. */
export async function issuesOf(text: string, files: Texts = {}): Promise<string[]> {
  return (await read(text, files)).issues.map(suiteIssueText);
}

export async function runText(text: string, files: Texts = {}, options: RunOptions = {}): Promise<SuiteResult> {
  const { suite, issues } = await read(text, files);
  if (suite === undefined) throw new Error(issues.map(suiteIssueText).join("\n"));
  return runSuite(suite, options);
}

/** Per case its name and result, with what differed. */
export function summary({ cases, issues }: SuiteResult): string[] {
  const lines = cases.flatMap(({ case: testCase, result, differences, reason }) => [
    `${result} ${testCase.name}${reason === undefined ? "" : `: ${reason}`}`,
    ...differences.map(({ aspect, expected, actual, note }) =>
      `  ${aspect}: ${expected} ≠ ${actual}${note === undefined ? "" : ` (${note})`}`.replaceAll("\n", " | "),
    ),
  ]);
  return [...issues.map(suiteIssueText), ...lines];
}

export const POLICY = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: replicas }
spec:
  paramKind: { apiVersion: v1, kind: ConfigMap }
  matchConstraints:
    resourceRules:
    - { apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE, UPDATE] }
  matchConditions:
  - { name: not-system, expression: "request.userInfo.username != 'root'" }
  validations:
  - { expression: "object.spec.replicas <= int(params.data.max)", messageExpression: "'at most ' + params.data.max" }
  - { expression: "oldObject == null || object.spec.replicas >= oldObject.spec.replicas", message: no shrinking, reason: Forbidden }
  auditAnnotations:
  - { key: replicas, valueExpression: "string(object.spec.replicas)" }
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: everywhere }
spec:
  policyName: replicas
  validationActions: [Deny]
  paramRef: { name: limits, namespace: policies, parameterNotFoundAction: Deny }
  matchResources: { namespaceSelector: { matchLabels: { env: prod } } }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: limits, namespace: policies }
data: { max: "3" }
---
apiVersion: v1
kind: Namespace
metadata: { name: shop, labels: { env: prod } }
`;

export const WEB = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec: { replicas: 2, selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: web, image: web }] } } }
`;

export const FILES: Texts = { "policy.yaml": POLICY, "web.yaml": WEB };

/** A suite over POLICY: the text after `tests:`. */
export function suiteOf(tests: string): string {
  return `apiVersion: celadon.dev/v1\nkind: TestSuite\nresources: [policy.yaml]\nobjects: [web.yaml]\ntests:\n${tests}`;
}
