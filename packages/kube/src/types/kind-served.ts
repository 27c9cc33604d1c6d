// Whether a server of a minor serves a kind, and what to do where it does not: the name or the version that was meant.

import { BoundedMap, nearestName } from "@celadon/base";
import type { GroupVersionKind } from "../gvk.ts";
import { CURRENT } from "../versions.ts";
import { isBodyKind, isBuiltinGroup, type KindVersion, kindVersions } from "./api-history.ts";

/** Whether a kind is served by a version of Kubernetes, and what to use instead. */
export type KindAnswer =
  /** `ifEnabled`: only if a server is configured to serve the version. */
  | { readonly code: "served"; readonly ifEnabled: boolean }
  /** No group of Kubernetes: a custom resource, if anything. `nearest` is a built-in kind that may be meant. */
  | { readonly code: "custom"; readonly nearest?: string }
  /** No such kind in the group. */
  | { readonly code: "unknown_kind"; readonly nearest?: string }
  /** The kind exists, but not in this version. */
  | {
      readonly code: "unknown_version" | "removed" | "not_yet";
      /** The minor that removed it, or brings it. */
      readonly minor?: string;
      /** apiVersions that serve the kind, the newest last. */
      readonly servedAs: readonly string[];
    };

/** Answers so far: the same few kinds come again and again. */
const answers = new BoundedMap<string, KindAnswer>(1000);

/** `minor` is that of Kubernetes: `1.36`. */
export function kindServed(of: GroupVersionKind, minor: string = CURRENT): KindAnswer {
  const key = `${minor} ${of.group}/${of.version}/${of.kind}`;
  const known = answers.get(key);
  if (known !== undefined) return known;
  const answer = find(of, Number(minor.split(".")[1]));
  answers.set(key, answer);
  return answer;
}

function find({ group, version, kind }: GroupVersionKind, at: number): KindAnswer {
  const apiVersion = group === "" ? version : `${group}/${version}`;
  if (!isBuiltinGroup(group)) return custom(group, kind);
  if (isBodyKind(apiVersion, kind)) return { code: "served", ifEnabled: false };
  const item = kind.endsWith("List") ? kind.slice(0, -"List".length) : kind;
  const inGroup = kindVersions().filter((kindVersion) => kindVersion.group === group);
  const ofKind = inGroup.filter((kindVersion) => kindVersion.kind === kind || kindVersion.kind === item);
  if (ofKind.length === 0) return unknownKind(kind, inGroup);
  const found = ofKind.find((kindVersion) => kindVersion.version === version);
  if (found !== undefined && isServed(found, at)) return { code: "served", ifEnabled: found.offByDefault };
  const servedAs = servingVersions(item, group, at);
  if (found === undefined) return { code: "unknown_version", servedAs };
  const isGone = found.until !== undefined && at >= found.until;
  return isGone
    ? { code: "removed", minor: `1.${found.until}`, servedAs }
    : { code: "not_yet", minor: `1.${found.from}`, servedAs };
}

function isServed({ from, until }: KindVersion, at: number): boolean {
  return from <= at && (until === undefined || at < until);
}

/** The versions that serve the kind in its group, or in the one to which it moved. */
function servingVersions(kind: string, group: string, at: number): string[] {
  const serving = kindVersions().filter(
    (kindVersion) => kindVersion.kind === kind && isServed(kindVersion, at) && !kindVersion.offByDefault,
  );
  const own = serving.filter((version) => version.group === group);
  return (own.length > 0 ? own : serving).map((version) =>
    version.group === "" ? version.version : `${version.group}/${version.version}`,
  );
}

function unknownKind(kind: string, inGroup: readonly KindVersion[]): KindAnswer {
  const names = [...new Set(inGroup.map((version) => version.kind))];
  const nearest = nearestName(kind, names);
  return { code: "unknown_kind", ...(nearest !== undefined && { nearest }) };
}

/**
 * A built-in kind under a group that Kubernetes lacks: the group may be the mistake. One with a domain of its own is none: other projects
 * have a Service or a ServiceAccount, too.
 */
function custom(group: string, kind: string): KindAnswer {
  const [nearest] = servingVersions(kind, "", Number(CURRENT.split(".")[1]));
  if (nearest === undefined) return { code: "custom" };
  const slash = nearest.indexOf("/");
  const ownGroup = slash === -1 ? "" : nearest.slice(0, slash);
  const isMistaken =
    !group.includes(".") ||
    /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group) ||
    nearestName(group, [ownGroup]) !== undefined;
  return { code: "custom", ...(isMistaken && { nearest }) };
}

/** The problem and its solution in one sentence; undefined if the kind is served. */
export function kindProblemText(kind: GroupVersionKind, answer: KindAnswer): string | undefined {
  const { group, version, kind: name } = kind;
  const apiVersion = group === "" ? version : `${group}/${version}`;
  const missing = `no matches for kind "${name}" in version "${apiVersion}"`;
  switch (answer.code) {
    case "served":
      return undefined;
    case "custom":
      return `no CustomResourceDefinition for ${apiVersion} ${name}${
        answer.nearest === undefined ? "" : `; did you mean ${answer.nearest}?`
      }`;
    case "unknown_kind":
      return answer.nearest === undefined ? missing : `${missing}; did you mean "${answer.nearest}"?`;
    case "unknown_version":
      return `${missing}${servedText(answer.servedAs)}`;
    case "removed":
      return `${missing}: removed in Kubernetes ${answer.minor}${servedText(answer.servedAs)}`;
    case "not_yet":
      return `${missing}: served from Kubernetes ${answer.minor} on${servedText(answer.servedAs)}`;
  }
}

function servedText(apiVersions: readonly string[]): string {
  return apiVersions.length === 0 ? "" : `; use ${apiVersions.join(" or ")}`;
}
