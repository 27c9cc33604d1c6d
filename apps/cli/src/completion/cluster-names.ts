// Names for completion from the cluster of a command line. A shell waits for them: what takes longer than a moment is left out.

import { type Api, type DiscoveredResource, discover } from "@celadon/client";
import { nameOf } from "@celadon/kube";
import { connect } from "../live-cluster/connect.ts";
import { resourceOf } from "../live-cluster/find-object.ts";
import type { Flags } from "../program/command.ts";
import type { Io } from "../program/io.ts";
import type { ClusterNames } from "./words.ts";

const PATIENCE_MS = 2000;
const MOST = 500;

const NAMESPACES = { group: "", version: "v1", resource: "namespaces" };

export function clusterNames(line: readonly string[], io: Io): ClusterNames {
  const value = (...names: readonly string[]): string | undefined => {
    const at = line.findLastIndex((word) => names.includes(word));
    const joined = line.find((word) => names.some((name) => word.startsWith(`${name}=`)));
    return at === -1 ? joined?.slice(joined.indexOf("=") + 1) : line[at + 1];
  };
  const flags: Flags<"context" | "kubeconfig"> = {
    text: (name) => value(`--${name}`),
    list: () => [],
    on: () => false,
    number: () => undefined,
  };
  const timeout = { timeoutMs: PATIENCE_MS };
  const ask = async (
    question: (api: Api, served: () => Promise<readonly DiscoveredResource[]>) => Promise<string[]>,
  ): Promise<string[]> => {
    try {
      const api = await connect(flags, io);
      try {
        return await question(api, async () => (await discover(api)).resources);
      } finally {
        api.close();
      }
    } catch {
      return []; // a cluster that does not answer completes nothing
    }
  };
  return {
    namespaces: () => ask(async (api) => (await api.list(NAMESPACES, { limit: MOST, ...timeout })).items.map(nameOf)),
    types: () =>
      ask(async (_, served) => [
        ...new Set((await served()).filter(({ verbs }) => verbs.includes("get")).map(({ resource }) => resource)),
      ]),
    objects: (type) =>
      ask(async (api, served) => {
        const resource = resourceOf(type, await served());
        const namespace = value("-n", "--namespace") ?? api.connection.namespace;
        const scope = resource.namespaced ? { namespace } : {};
        return (await api.list(resource, { limit: MOST, ...scope, ...timeout })).items.map(nameOf);
      }),
  };
}
