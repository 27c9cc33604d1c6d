// The contents of a cluster, for commands that read files: policies with their params, and the current state of objects. If an object is
// both in a file and in the cluster, the file is used.

import { type Api, ApiError, ConnectionError, type DiscoveredResource, discover } from "@celadon/client";
import { fetchSetUp, type ReadSetUpOptions, type Unread } from "@celadon/cluster/audit";
import { gvkOf, type KubeObject, nameOf, namespaceOf } from "@celadon/kube";
import type { Manifest } from "@celadon/simulator/manifests";
import type { Flags } from "../program/command.ts";
import { UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import type { SourceNote } from "../sources/index.ts";
import { type Pairs, pairManifests } from "../sources/pairs.ts";
import { type ClusterVersion, clusterVersion } from "./cluster-version.ts";
import { connect } from "./connect.ts";

export interface FromCluster {
  readonly api: Api;
  readonly served: readonly DiscoveredResource[];
  readonly version: ClusterVersion;
  /** The manifests that decide there. */
  readonly manifests: readonly Manifest[];
  readonly unread: readonly Unread[];
  /** Policies that are not enforced, and why. */
  readonly rejected: readonly SourceNote[];
}

/** The caller closes the connection. */
export async function openCluster(
  args: Flags<"context" | "kubeconfig">,
  io: Io,
  options: Pick<ReadSetUpOptions, "gates" | "policies" | "mutation"> & { readonly given?: readonly Manifest[] } = {},
): Promise<FromCluster> {
  const api = await connect(args, io);
  try {
    const { resources: served } = await discover(api);
    const version = await clusterVersion(api);
    const { objects, unread, rejected } = await fetchSetUp(api, served, {
      ...options,
      given: (options.given ?? []).map(({ object }) => object),
      signal: io.signal,
    });
    const file = api.connection.server;
    const notes = rejected.map(({ object, why }) => ({
      file,
      message: `${object.kind} ${nameOf(object)} was rejected, so it is not enforced: ${why}`,
    }));
    return { api, served, version, manifests: objects.map((object) => ({ object })), unread, rejected: notes };
  } catch (error) {
    api.close();
    throw clusterError(error);
  }
}

/** A failure of a cluster is not a bug of the command. */
export function clusterError(error: unknown): unknown {
  if (error instanceof ConnectionError) return new UsageError(error.message, "see --kubeconfig and --context");
  return error instanceof ApiError ? new UsageError(`the cluster answered: ${error.message}`) : error;
}

export function unreadText({ group, resource, namespace, why, message }: Unread): string {
  const name = `${resource}${group === "" ? "" : `.${group}`}${namespace === undefined ? "" : ` in ${namespace}`}`;
  return why === "forbidden" ? `no permission to read ${name}` : `cannot read ${name}: ${message}`;
}

/** The objects as they are in the cluster, beside their replacements. */
export async function clusterPairs(
  manifests: readonly Manifest[],
  { api, served }: Pick<FromCluster, "api" | "served">,
  namespace: string | undefined,
): Promise<Pairs> {
  const olds: Manifest[] = [];
  for (const { object } of manifests) {
    const old = await oldOf(object, api, served, namespace ?? "default");
    if (old !== undefined) olds.push({ object: old });
  }
  return pairManifests(manifests, olds, namespace);
}

async function oldOf(
  object: KubeObject,
  api: Api,
  served: readonly DiscoveredResource[],
  namespace: string,
): Promise<KubeObject | undefined> {
  const { group, version, kind } = gvkOf(object);
  const resource = served.find(
    (servedResource) =>
      servedResource.group === group && servedResource.version === version && servedResource.kind === kind,
  );
  const name = nameOf(object);
  if (resource === undefined || name === "") return undefined;
  try {
    const where = resource.namespaced ? { namespace: namespaceOf(object) || namespace } : {};
    return await api.find(resource, { name, ...where });
  } catch (error) {
    if (error instanceof ApiError && (error.code === 403 || error.code === 405)) return undefined;
    throw clusterError(error);
  }
}
