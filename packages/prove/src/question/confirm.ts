// A model as a request to a cluster made of the policies in question: the real pipeline answers every request that people see.

import type { UserInfo } from "@celadon/admission";
import type { Evaluation } from "@celadon/admission/steps";
import { isRecord } from "@celadon/base";
import { apiVersionOf, type KubeObject } from "@celadon/kube";
import type { Outcome, SimulatedCluster } from "@celadon/simulator";
import { Model } from "../model/model.ts";
import { INFEASIBLE } from "../path/choices.ts";
import type { Path } from "../path/path.ts";
import type { Symbolic } from "../path/symbolic.ts";
import { asksForName, type SymbolicRequest } from "../request/symbolic-request.ts";
import type { Node } from "../tree/node.ts";
import type { Counterexample } from "./answer.ts";

/** A request of many that take a path; undefined when no values were found. */
export function modelOf(
  path: Path,
  request: SymbolicRequest,
  params: Symbolic = NO_PARAMS,
): Counterexample | undefined {
  const model = new Model(path);
  try {
    const place = request.namespace?.fields.get("metadata");
    const name = place?.fields.get("name");
    if (name !== undefined) model.prefer(name, "default");
    if (!model.solve()) return undefined;
    const { situation, object, oldObject, namespace, user } = request;
    const { target, operation } = situation;
    const typed = (made: unknown): KubeObject =>
      ({ apiVersion: apiVersionOf(target.kind), kind: target.kind.kind, ...(made as KubeObject) }) as KubeObject;
    const given = params.is === "node" ? model.json(params.node) : params.is === "value" ? params.value : undefined;
    const written = object && typed(model.json(object));
    const made = written && asksForName(path) ? unnamed(written) : written;
    // An update changes as little as the path allows: for most kinds little may change.
    const before = oldObject && typed(model.json(oldObject, oldObject.shape.schema, made));
    return {
      operation,
      ...(target.subresource !== "" && { subresource: target.subresource }),
      ...(made && { object: made }),
      ...(before && { oldObject: before }),
      ...(namespace && isRead(place) && { namespaceObject: namespaceOf(model.json(namespace)) }),
      ...(isRecord(given) && { params: given as KubeObject }),
      ...(user.fields.size > 0 && { user: model.json(user) as UserInfo }),
    };
  } catch (error) {
    if (error === INFEASIBLE) return undefined;
    throw error;
  }
}

function unnamed(object: KubeObject): KubeObject {
  const { name: _, ...metadata } = object.metadata as { readonly name?: string };
  return { ...object, metadata } as KubeObject;
}

/** Whether a path looks at more of a namespace than its name. */
function isRead(metadata: Node | undefined): boolean {
  return metadata !== undefined && [...metadata.fields.keys()].some((name) => name !== "name");
}

const NO_PARAMS: Symbolic = { is: "value", value: null };

function namespaceOf(made: unknown): KubeObject {
  const { metadata = {} } = made as KubeObject;
  const name = (metadata as { readonly name?: string }).name ?? "default";
  const labels = { ...(metadata as { readonly labels?: object }).labels, "kubernetes.io/metadata.name": name };
  return { apiVersion: "v1", kind: "Namespace", metadata: { ...metadata, labels } } as KubeObject;
}

/** Sends a request to a cluster that has its namespace and params too. */
export async function review(
  simulated: SimulatedCluster,
  example: Counterexample,
  binding?: KubeObject,
): Promise<Outcome> {
  const { operation, subresource, object, oldObject, namespaceObject, params, user } = example;
  const put = [namespaceObject, params, binding].filter((item): item is KubeObject => item !== undefined);
  const cluster = put.length === 0 ? simulated : simulated.with({ put });
  return cluster.review(
    {
      operation,
      ...(subresource !== undefined && { subresource }),
      ...(object && { object }),
      ...(oldObject && { oldObject }),
      ...(user && { user }),
    },
    { everyPolicy: true },
  );
}

/** The evaluations of a policy that an outcome has. */
export function evaluationsOf(outcome: Outcome, policy: string): readonly Evaluation[] {
  const found = outcome.policies.verdicts.policies.find(({ policy: { name } }) => name === policy);
  if (found?.outcome !== "matched") return [];
  return found.bindings.flatMap((binding) => (binding.outcome === "evaluated" ? binding.evaluations : []));
}

/** Whether the object itself was accepted: the API server checks it before any policy runs. */
export function isValid({ problems }: Outcome): boolean {
  return !problems.some(
    ({ system, level }) => (system === "validation" || system === "schema" || system === "rules") && level === "deny",
  );
}
