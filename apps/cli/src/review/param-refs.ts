// Finds the objects to which bindings in force refer as params.

import { gvkOf, type KubeObject, nameOf, parseGroupVersion } from "@celadon/kube";
import { isInvalid } from "@celadon/kube/errors";
import { toLabelSelector } from "@celadon/kube/selectors";
import type { SimulatedCluster } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import type { ManifestStream } from "../sources/index.ts";

interface ParamRef {
  readonly apiVersion: string;
  readonly kind: string;
  matches(object: KubeObject): boolean;
}

/** Whether bindings in force refer to an object as params. */
export function paramsIn(simulated: SimulatedCluster): (object: KubeObject) => boolean {
  const refs = new Map<string, ParamRef[]>();
  for (const ref of refsIn(simulated)) {
    const key = `${ref.apiVersion}/${ref.kind}`;
    refs.set(key, [...(refs.get(key) ?? []), ref]);
  }
  return (object) => {
    const { group, version, kind } = gvkOf(object);
    const key = `${group === "" ? version : `${group}/${version}`}/${kind}`;
    return refs.get(key)?.some((ref) => ref.matches(object)) ?? false;
  };
}

/** The simulated cluster with params that are not in memory. They are found in every version. */
export function withParams(simulated: SimulatedCluster, stream: ManifestStream): SimulatedCluster {
  if (stream.length === stream.kept.length) return simulated;
  const refs = refsIn(simulated);
  const put: Manifest[] = [];
  for (const manifest of stream.passedOf(new Set(refs.flatMap(groupKind)))) {
    if (refs.some(({ matches }) => matches(manifest.object))) put.push(manifest);
  }
  return put.length === 0 ? simulated : simulated.with({ put });
}

function groupKind({ apiVersion, kind }: ParamRef): string[] {
  const parsed = parseGroupVersion(apiVersion);
  return isInvalid(parsed) ? [] : [`${parsed.group}/${kind}`];
}

function refsIn({ policies, mutatingPolicies }: SimulatedCluster): readonly ParamRef[] {
  return [...policies.entries(), ...mutatingPolicies.entries()].flatMap(({ policy, bindings }) => {
    const { apiVersion, kind } = policy.paramKind ?? {};
    if (policy.paramKind === undefined) return [];
    return bindings.map(({ paramRef = {} }): ParamRef => {
      const { name = "", selector } = paramRef;
      const chosen = selector && toLabelSelector(selector);
      const matches = (object: KubeObject): boolean =>
        name !== ""
          ? nameOf(object) === name
          : chosen !== undefined && !isInvalid(chosen) && chosen.matches(object.metadata?.labels ?? {});
      return { apiVersion: `${apiVersion}`, kind: `${kind}`, matches };
    });
  });
}
