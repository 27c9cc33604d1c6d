// The path of a write in a cluster without clock, chance and store.

import type { AdmissionRequest } from "@celadon/admission";
import { apiVersionOf, gvkOf, type KubeObject, namespaceOf } from "@celadon/kube";
import { unknownNetwork } from "@celadon/kube/validation";
import {
  type AdmissionContext,
  builtinResource,
  PluginChain,
  type WriteHosts,
  WritePath,
  type WriteRequest,
  type WrittenResource,
} from "@celadon/write";
import type { Strategy } from "@celadon/write/strategy";
import type { ReviewHost } from "../review-host.ts";
import { CREATED, NAME_LETTERS, UID } from "./system-fields.ts";

/** The resource that a request writes, whether a server is known to serve it or not. */
export function writtenResource(
  { options, resources }: Pick<ReviewHost, "options" | "resources">,
  { resource: gvr, kind: body, namespace = "" }: AdmissionRequest,
  isCustom = false,
): WrittenResource {
  const kind = resources.kind(gvr, "") ?? body;
  const apiVersion = apiVersionOf(kind);
  const builtin = isCustom ? undefined : builtinResource(apiVersion, kind.kind, options.kubeVersion);
  if (builtin !== undefined) return builtin;
  const subresources = [...(resources.ofKind(kind)?.subresources ?? [])];
  return {
    ...gvr,
    apiVersion,
    kind: kind.kind,
    namespaced: namespace !== "" && kind.kind !== "Namespace",
    minor: options.kubeVersion,
    subresources: new Map(subresources.map(([name, written]) => [name, { kind: written }])),
    storage: { group: gvr.group, resource: gvr.resource, custom: isCustom },
  };
}

/** The path of a request. Every step runs, even after a refusal. */
export function pathOf(
  request: AdmissionRequest,
  resource: WrittenResource,
  chain: PluginChain = NO_PLUGINS,
): WritePath {
  const { namespace = "", name = "", userInfo: user = {}, options = null, dryRun = false } = request;
  const { object: _, oldObject: __, name: ___, ...stated } = request;
  const { subresource = "" } = request;
  const asked: WriteRequest = { resource, subresource, namespace, name, user, dryRun, options, stated };
  return new WritePath(hostsOf(chain), asked, { ...CONTEXT, user }, true);
}

/** An existing object as its clients read it. */
export function storedObject(resource: WrittenResource, strategy: Strategy, object: KubeObject): Promise<KubeObject> {
  const { group, version, resource: plural } = resource;
  const request = { resource: { group, version, resource: plural }, kind: gvkOf(object), operation: "CREATE" } as const;
  return pathOf({ ...request, namespace: namespaceOf(object) }, resource).stored(object, strategy);
}

const NO_PLUGINS = new PluginChain([]);

function hostsOf(chain: PluginChain): WriteHosts {
  return {
    chain,
    now: () => CREATED,
    uid: () => UID,
    nameSuffix: () => NAME_LETTERS,
    network: (isDryRun) => unknownNetwork(isDryRun),
    namespaceLabels: () => ({}),
  };
}

const nothing = (): void => {};

/** Plugins report their findings; there is no answer to note them for. */
const CONTEXT: Omit<AdmissionContext, "user"> = {
  notes: { warn: nothing, annotate: nothing, annotatePatch: nothing },
  signal: undefined,
  remainingSeconds: () => Number.POSITIVE_INFINITY,
};
