// Requests about objects of built-in kinds on the path of a write, without HTTP, store and plugins: for recordings of a server's answers.

import { createRbacAuthorizer } from "@celadon/admission/memory";
import type { KubeObject } from "@celadon/kube";
import type { FieldError, Warning } from "@celadon/kube/errors";
import type { Status } from "@celadon/kube/status";
import { imaginaryNetwork, type ServiceNetwork } from "@celadon/kube/validation";
import type { Minor } from "@celadon/kube/versions";
import {
  builtinResource,
  checkVersion,
  type Draft,
  draftOf,
  objectOf,
  PluginChain,
  Refused,
  refuseAction,
  refuseScale,
  type StatusError,
  scaledBy,
  WritePath,
  type WrittenResource,
} from "./index.ts";
import { withReadableOwners } from "./metadata.ts";
import { checkUid } from "./preconditions.ts";
import { loadStrategy, type PolicyHosts } from "./strategy/index.ts";

/** The facts about a request besides its objects. */
export interface Sent {
  readonly namespace: string;
  readonly minor?: Minor | undefined;
  readonly uid?: string;
  readonly now?: string;
  readonly services?: ServiceNetwork;
  readonly user?: { readonly username: string; readonly groups?: readonly string[]; readonly uid?: string };
}

/** The object as it would be stored, or the answer that refuses it. */
export interface Written {
  readonly object?: KubeObject;
  readonly refusal?: Status;
  readonly errors?: readonly FieldError[];
  readonly warnings: readonly Warning[];
}

const SUFFIX = "zzzzz";

/** A POST of a decoded object. */
export async function createObject(object: KubeObject, sent: Sent): Promise<Written> {
  const resource = resourceOf(object, sent);
  const { path, warnings } = pathOf(resource, "", sent, "");
  const begun = await path.begin({ sent: "new", decode: () => draftOf(object), own: withReadableOwners });
  if (begun instanceof Refused) return { refusal: begun.status, warnings };
  return answerOf(await path.finish(begun, { strategy: await loadStrategy(resource, "", HOSTS) }), warnings);
}

/** A PUT of a decoded object in the place of another, or to one of its subresources. */
export async function updateObject(
  object: KubeObject,
  old: KubeObject,
  sent: Sent,
  subresource = "",
): Promise<Written> {
  const resource = resourceOf(object, sent);
  const { name = "" } = old.metadata ?? {};
  const { path, warnings } = pathOf(resource, subresource, sent, name);
  const begun = await path.begin({ sent: "replacement", decode: () => draftOf(object), own: withReadableOwners, old });
  if (begun instanceof Refused) return { refusal: begun.status, warnings };
  return answerOf(await finishUpdate(path, begun, resource, subresource, old), warnings);
}

/** A PUT of a Scale. */
export async function updateScale(scale: KubeObject, old: KubeObject, sent: Sent): Promise<Written> {
  const resource = resourceOf(old, sent);
  const { name = "" } = old.metadata ?? {};
  const { path, warnings } = pathOf(resource, "scale", sent, name);
  try {
    const begun = await path.begin({ sent: "replacement", decode: () => draftOf(scale), old });
    if (begun instanceof Refused) return { refusal: begun.status, warnings };
    await refuseScale(begun, resource, old);
    const scaled = scaledBy(begun, old);
    const { resourceVersion } = begun.metadata;
    if (resourceVersion === undefined) delete scaled.metadata.resourceVersion;
    else scaled.metadata.resourceVersion = resourceVersion;
    return answerOf(await finishUpdate(path, scaled, resource, "", old), warnings);
  } catch (thrown) {
    return { refusal: (thrown as StatusError).status, warnings };
  }
}

/** A POST of something that is answered and not stored; with a name, of a subresource of that object. */
export async function askFor(object: KubeObject, sent: Sent, name?: string): Promise<Written> {
  const { apiVersion = "", kind = "" } = object;
  const group = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
  const { namespace, minor } = sent;
  const resource = { ...resourceOf({ apiVersion: "v1", kind: "Binding" }, sent), namespaced: namespace !== "" };
  const { path, warnings } = pathOf(resource, "", sent, name ?? "");
  const decode = () => draftOf(object);
  const act = async (draft: Draft) => {
    await refuseAction({ group, kind }, draft, { namespace, minor, ...(name !== undefined && { name }) });
    return draft;
  };
  return answerOf(await path.act({ sent: name === undefined ? "new" : "action", decode }, act), warnings);
}

function resourceOf({ apiVersion = "", kind = "" }: KubeObject, { minor }: Sent): WrittenResource {
  const resource = builtinResource(apiVersion, kind, minor);
  if (resource === undefined) throw new Error(`${apiVersion} ${kind} is not served`);
  return resource;
}

async function finishUpdate(
  path: WritePath,
  draft: Draft,
  resource: WrittenResource,
  subresource: string,
  old: KubeObject,
): Promise<Draft | Refused> {
  const { name = "", resourceVersion } = old.metadata ?? {};
  const strategy = await loadStrategy(resource, subresource, HOSTS);
  return path.finish(draft, {
    strategy,
    old,
    confirm(changed) {
      checkVersion(strategy, resource, name, changed, Number(resourceVersion));
      checkUid({ resource, dryRun: true }, changed.metadata.uid, old);
    },
  });
}

function pathOf(resource: WrittenResource, subresource: string, sent: Sent, name: string) {
  const { namespace, uid = "", now = "", services, user = { username: "" } } = sent;
  const warnings: Warning[] = [];
  const hosts = {
    chain: new PluginChain([]),
    now: () => now,
    uid: () => uid,
    nameSuffix: () => SUFFIX,
    network: () => services ?? imaginaryNetwork(),
    namespaceLabels: () => ({}),
  };
  const notes = { warn: (text: string) => void warnings.push({ text }), annotate() {}, annotatePatch() {} };
  const context = { notes, user, signal: undefined, remainingSeconds: () => 1 };
  const request = { resource, subresource, namespace, name, user, dryRun: false, options: null };
  return { path: new WritePath(hosts, request, context), warnings };
}

function answerOf(finished: Draft | Refused, warnings: readonly Warning[]): Written {
  const distinct = [...new Map(warnings.map((warning) => [warning.text, warning])).values()];
  if (finished instanceof Refused) {
    const { errors } = finished.findings.at(-1)!;
    return { refusal: finished.status, errors, warnings: distinct };
  }
  return { object: objectOf(finished), warnings: distinct };
}

const HOSTS: PolicyHosts = {
  gates: {},
  bindings: () => [],
  authorizer: createRbacAuthorizer([]),
  resourceOf: () => undefined,
  policy: () => undefined,
};
