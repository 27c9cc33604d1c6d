// The value of the part of an expression under a cursor, for a sample: an object of the workspace that the expression is evaluated for.

import { type ExplainedExpression, explain, expressionPath } from "@celadon/admission/explain";
import { deepEqual, type JsonPath, memberOf, valueAt } from "@celadon/base";
import type { ExplainedNode } from "@celadon/cel/explain";
import { type KubeObject, nameOf } from "@celadon/kube";
import type { SimulatedCluster } from "@celadon/simulator";
import { explainOutcome, rulePath } from "@celadon/simulator/explain";
import type { Manifest } from "@celadon/simulator/manifests";
import type { ExpressionAt } from "../cursor/expression-at.ts";
import type { ObjectVerdict } from "./review-all.ts";

/** The value of an expression on an object of the workspace. */
export interface SampleValue {
  /** `Deployment web`. */
  readonly sample: string;
  /** The part that has the value. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

export async function sampleValue(
  simulated: SimulatedCluster,
  { object, path, offset }: Pick<ExpressionAt, "object" | "path" | "offset">,
  { manifest, request }: ObjectVerdict,
): Promise<SampleValue | undefined> {
  const tree = await treeOf(simulated, object, path, { manifest, request });
  const node = tree && innermost(tree, offset);
  if (node === undefined || !node.evaluated) return undefined;
  const value = node.error === undefined ? node.shown : `error: ${node.error}`;
  if (value === undefined) return undefined;
  const sample = `${String(manifest.object.kind)} ${nameOf(manifest.object)}`;
  return { sample, text: node.text, start: node.start, end: node.end, value };
}

/** Whether expressions of a resource may be evaluated for an object. */
export function isSampleOf(resource: KubeObject, { manifest, mutations, truths }: ObjectVerdict): boolean {
  const { apiVersion, kind } = manifest.object;
  switch (resource.kind) {
    case "ValidatingAdmissionPolicy":
      return truths.has(nameOf(resource));
    case "MutatingAdmissionPolicy":
      return mutations.has(nameOf(resource));
    case "CustomResourceDefinition": {
      const group = String(valueAt(resource, ["spec", "group"]));
      return kind === valueAt(resource, ["spec", "names", "kind"]) && String(apiVersion).startsWith(`${group}/`);
    }
    case "CertificateRequestPolicy":
      return kind === "CertificateRequest" || kind === "Certificate";
    default:
      return true;
  }
}

async function treeOf(
  simulated: SimulatedCluster,
  resource: KubeObject,
  path: JsonPath,
  { manifest, request }: Pick<ObjectVerdict, "manifest" | "request">,
): Promise<ExplainedNode | undefined> {
  const name = nameOf(resource);
  if (resource.kind === "ValidatingAdmissionPolicy") {
    return treeAt(await validatingExpressions(simulated, name, request), path);
  }
  if (resource.kind === "MutatingAdmissionPolicy") {
    return treeAt(await mutatingExpressions(simulated, name, manifest), path);
  }
  const outcome = await simulated.review({ object: manifest.object });
  const { rules, certificateRules, webhookConditions } = await explainOutcome(simulated, outcome, new Set());
  const isAt = (other: JsonPath): boolean => deepEqual(other, path);
  if (resource.kind === "CustomResourceDefinition") {
    const versions = valueAt(resource, ["spec", "versions"]);
    const at = Array.isArray(versions)
      ? versions.findIndex((version) => memberOf(version, "name") === rules?.version)
      : -1;
    return rules?.expressions.find((rule) => isAt(rulePath(at, rule)))?.tree;
  }
  const rule = certificateRules.find((candidate) => candidate.policy === name && isAt([...candidate.path, "rule"]));
  const condition = webhookConditions.find(
    ({ owner, kind, index }) => owner.name === name && isAt(expressionPath(kind, index, owner.webhook)),
  );
  return (rule ?? condition)?.tree;
}

type Expressions = readonly ExplainedExpression[];

async function validatingExpressions(
  simulated: SimulatedCluster,
  policy: string,
  request: ObjectVerdict["request"],
): Promise<Expressions> {
  const entries = simulated.policies.entries().filter((entry) => entry.policy.name === policy);
  return (await explain(request, entries, simulated.hosts)).expressions;
}

async function mutatingExpressions(
  simulated: SimulatedCluster,
  policy: string,
  { object }: Manifest,
): Promise<Expressions> {
  const { policies } = await explainOutcome(simulated, await simulated.review({ object }), new Set([policy]));
  return policies.filter(({ kind }) => kind === "MutatingAdmissionPolicy").flatMap(({ expressions }) => expressions);
}

function treeAt(expressions: Expressions, path: JsonPath): ExplainedNode | undefined {
  const wanted = path.join("/");
  const all = expressions.flatMap((expression) => [expression, ...expression.variables]);
  return all.find(({ kind, index }) => expressionPath(kind, index).join("/") === wanted)?.tree;
}

function innermost(node: ExplainedNode, offset: number): ExplainedNode {
  for (const child of node.children) {
    if (child.start <= offset && offset <= child.end && child.end > child.start) return innermost(child, offset);
  }
  return node;
}
