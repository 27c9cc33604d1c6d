// Kinds that the server does not serve. In the groups of Kubernetes that is an error, with the name or version that was meant, and so is
// a version that a definition does not serve. Other kinds may have a definition that is not among the inputs: the options say.

import { nearestName } from "@celadon/base";
import type { GroupVersionKind } from "@celadon/kube";
import { failure, type Status } from "@celadon/kube/status";
import { isBuiltinGroup, kindProblemText, kindServed } from "@celadon/kube/types";
import type { Problem } from "../outcome/outcome.ts";
import { meantVersion } from "../request/meant-version.ts";
import type { ReviewHost } from "../review-host.ts";

export interface UnservedKind {
  readonly problem: Problem;
  /** The server's answer; absent where the object is allowed. */
  readonly status?: Status;
}

const missingText = ({ group, version, kind }: GroupVersionKind): string =>
  `no matches for kind "${kind}" in version "${group}/${version}"`;

const NOT_FOUND = "the server could not find the requested resource";

/** Undefined if the kind is served, or is not to be reported. */
export function unservedKind(cluster: ReviewHost, kind: GroupVersionKind): UnservedKind | undefined {
  const { kubeVersion, unknownKinds = "warn" } = cluster.options;
  if (isBuiltinGroup(kind.group)) {
    const answer = kindServed(kind, kubeVersion);
    const message = kindProblemText(kind, answer);
    return message === undefined ? undefined : refused(message, answer.code === "unknown_kind" ? "kind" : "apiVersion");
  }
  if (cluster.resources.ofKind(kind) !== undefined) return undefined;
  const inGroup = cluster.resources.served().filter(({ group }) => group === kind.group);
  const versions = inGroup.flatMap((resource) =>
    resource.kind === kind.kind ? `${resource.group}/${resource.version}` : [],
  );
  if (versions.length > 0) {
    return refused(`${missingText(kind)}; use ${versions.join(" or ")}`, "apiVersion");
  }
  const message = undefinedText(
    cluster,
    kind,
    inGroup.map((resource) => resource.kind),
  );
  if (!canBeDefined(kind.group)) return refused(message, "apiVersion");
  if (unknownKinds === "error") return refused(message, "kind");
  return unknownKinds === "ignore" ? undefined : { problem: problemOf(message, "kind", false, kind) };
}

/** Groups of definitions have a dot. */
const canBeDefined = (group: string): boolean => group.includes(".");

function undefinedText(cluster: ReviewHost, kind: GroupVersionKind, known: readonly string[]): string {
  const shown = `${kind.group}/${kind.version} ${kind.kind}`;
  const definition = cluster.rejectedDefinition(kind);
  if (definition !== undefined) {
    return `CustomResourceDefinition "${definition}" was rejected, so ${shown} is not validated`;
  }
  const answer = kindServed(kind);
  const builtin = answer.code === "custom" ? answer.nearest : undefined;
  const nearest = builtin ?? meantVersion(cluster.resources.served(), kind) ?? nearestName(kind.kind, known);
  const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
  if (!canBeDefined(kind.group)) return `${missingText(kind)}${hint}`;
  return `no CustomResourceDefinition for ${shown} in the inputs, so it is not validated${hint}`;
}

function refused(message: string, field: string): UnservedKind {
  return { problem: problemOf(message, field, true), status: failure("NotFound", NOT_FOUND) };
}

function problemOf(message: string, field: string, isRefused: boolean, kind?: GroupVersionKind): Problem {
  return {
    system: "validation",
    level: isRefused ? "deny" : "notice",
    message,
    path: [field],
    returned: isRefused,
    ...(!isRefused && { isOwn: true }),
    ...(kind && { once: `${kind.group}/${kind.version}/${kind.kind}` }),
  };
}
