// Objects of a cluster by the names that kubectl takes: `pod/web`, `deploy/web`, `deployments.apps/web`, `pod web`.

import { nearestName } from "@celadon/base";
import { type Api, ApiError, type DiscoveredResource } from "@celadon/client";
import type { KubeObject } from "@celadon/kube";
import { UsageError } from "../program/exit.ts";
import { clusterError } from "./from-cluster.ts";

export interface NamedObject {
  readonly type: string;
  readonly name: string;
}

/** `pod/a pod/b`, or `pod a b`. */
export function namedObjectsOf(words: readonly string[]): readonly NamedObject[] {
  const [type, ...names] = words;
  if (type === undefined) return [];
  if (!words.some((word) => word.includes("/"))) {
    if (names.length === 0) throw new UsageError(`no name after "${type}"`, `such as ${type}/NAME`);
    return names.map((name) => ({ type, name }));
  }
  return words.map((word) => {
    const [first = "", second = "", ...more] = word.split("/");
    if (first === "" || second === "" || more.length > 0) throw new UsageError(`"${word}" is not TYPE/NAME`);
    return { type: first, name: second };
  });
}

/** The resource of a type: by plural, singular, short name or kind, with or without version and group. */
export function resourceOf(type: string, served: readonly DiscoveredResource[]): DiscoveredResource {
  const [word = "", ...rest] = type.toLowerCase().split(".");
  const suffix = rest.join(".");
  const isMeant = ({ resource, singular, shortNames, kind, group, version }: DiscoveredResource): boolean =>
    [resource, singular, kind.toLowerCase(), ...shortNames].includes(word) &&
    ["", group, `${version}.${group}`].includes(suffix);
  const found = served.find((item) => item.verbs.includes("get") && isMeant(item));
  if (found !== undefined) return found;
  const known = served.flatMap(({ resource, singular, shortNames }) => [resource, singular, ...shortNames]);
  const guess = nearestName(word, [...new Set(known)]);
  throw new UsageError(
    `the cluster has no resource type "${type}"${guess === undefined ? "" : `; did you mean ${guess}?`}`,
  );
}

export async function objectOf(
  { type, name }: NamedObject,
  { api, served }: { readonly api: Api; readonly served: readonly DiscoveredResource[] },
  namespace: string,
): Promise<KubeObject> {
  const resource = resourceOf(type, served);
  try {
    const found = await api.find(resource, { name, ...(resource.namespaced && { namespace }) });
    if (found !== undefined) return found;
  } catch (error) {
    if (error instanceof ApiError && error.code === 403) throw new UsageError(`the cluster answered: ${error.message}`);
    throw clusterError(error);
  }
  const where = resource.namespaced ? ` in namespace ${namespace}` : "";
  throw new UsageError(
    `the cluster has no ${resource.singular || resource.kind.toLowerCase()} "${name}"${where}`,
    "for an object that was denied and so does not exist: celadon explain -f FILE --cluster",
  );
}
