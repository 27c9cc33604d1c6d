// Requests for all policies of a set, generated, as a cluster reviews them.

import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "@celadon/admission/policy";
import { compilePolicy } from "@celadon/admission/steps";
import type { KubeObject } from "@celadon/kube";
import type { IntendedRequest, Outcome, SimulatedCluster } from "@celadon/simulator";
import { type PolicyRequest, policyRequests } from "@celadon/testing/fuzz";

/** A request, with the namespace and params that it needs. */
export interface MadeRequest {
  readonly ask: IntendedRequest;
  readonly put: readonly KubeObject[];
}

const MOST_KINDS = 6;

/** The policies take turns; endless unless they match nothing. */
export function* requestsFor(cluster: SimulatedCluster, seed: number): Generator<MadeRequest, void> {
  const bindings = cluster
    .manifests("binding")
    .map(({ object }) => object as unknown as ValidatingAdmissionPolicyBinding);
  const definitions = cluster.manifests("definition").map(({ object }) => object);
  const queues = cluster.manifests("policy").flatMap(({ object }) => {
    const resource = cluster.inForce(object) as ValidatingAdmissionPolicy | undefined;
    if (resource === undefined) return [];
    const policy = compilePolicy(resource);
    const own = bindings.filter(({ spec }) => spec.policyName === policy.name);
    const refs = own.flatMap(({ spec: { paramRef } }) => (paramRef === undefined ? [] : [paramRef]));
    const requests = policyRequests(policy, { bindings: own, definitions, params: [], seed, kinds: MOST_KINDS });
    return [{ requests, refs, paramKind: policy.paramKind }];
  });
  for (;;) {
    let made = 0;
    for (const { requests, refs, paramKind } of queues) {
      const next = requests.next();
      if (next.done) continue;
      made++;
      yield requestOf(next.value, refs[0], paramKind);
    }
    if (made === 0) return;
  }
}

function requestOf(
  { target, input }: PolicyRequest,
  reference: { readonly name?: string; readonly namespace?: string } | undefined,
  paramKind: { readonly apiVersion?: string; readonly kind?: string } | undefined,
): MadeRequest {
  const { operation, object, oldObject, params, namespaceObject, request = {} } = input;
  const { userInfo } = request as { readonly userInfo?: IntendedRequest["user"] };
  const named = params && {
    ...params,
    ...paramKind,
    metadata: { namespace: "default", ...(params.metadata as object), ...reference },
  };
  return {
    ask: {
      operation,
      ...(target.subresource !== "" && { subresource: target.subresource }),
      ...(object && { object: object as KubeObject }),
      ...(oldObject && { oldObject: oldObject as KubeObject }),
      ...(userInfo && { user: userInfo }),
    },
    put: [named, namespaceObject].filter((item): item is KubeObject => item !== undefined),
  };
}

/** The answer of a cluster that has the namespace and params too. */
export function reviewed(cluster: SimulatedCluster, { ask, put }: MadeRequest): Promise<Outcome> {
  return (put.length === 0 ? cluster : cluster.with({ put })).review(ask, { everyPolicy: true });
}

/** Whether the object itself was accepted: a proof is about such objects. */
export function isAccepted({ problems }: Outcome): boolean {
  return !problems.some(({ system, level }) => level === "deny" && CHECKS.has(system));
}

const CHECKS: ReadonlySet<string> = new Set(["schema", "validation", "rules"]);
