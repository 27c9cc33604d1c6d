// Kinds that the server does not serve. In the groups of Kubernetes that is an error, with the name or version that was meant, and so is
// a version that a definition does not serve. Other kinds may have a definition that is not among the inputs: the options say.

import { nearestName } from "@celadon/base";
import { failure, type GroupVersionKind, type Status } from "@celadon/kube";
import { isBuiltinGroup, kindProblemText, kindServed } from "@celadon/kube/types";
import type { Cluster } from "./cluster.ts";
import type { Problem } from "./outcome.ts";

export interface UnservedKind {
  readonly problem: Problem;
  /** What the server answers; absent where the object is let through. */
  readonly status?: Status;
}

const NOT_FOUND = "the server could not find the requested resource";

/** Undefined if the kind is served, or nothing is to be said about it. */
export function unservedKind(cluster: Cluster, kind: GroupVersionKind): UnservedKind | undefined {
  const { kubeVersion, unknownKinds = "warn" } = cluster.options;
  if (isBuiltinGroup(kind.group)) {
    const answer = kindServed(kind, kubeVersion);
    const message = kindProblemText(kind, answer);
    return message === undefined ? undefined : refused(message, answer.code === "unknown_kind" ? "kind" : "apiVersion");
  }
  if (cluster.resources.ofKind(kind) !== undefined) return undefined;
  const inGroup = cluster.resources.served().filter(({ group }) => group === kind.group);
  const versions = inGroup.flatMap((one) => (one.kind === kind.kind ? `${one.group}/${one.version}` : []));
  if (versions.length > 0) {
    const missing = `no matches for kind "${kind.kind}" in version "${kind.group}/${kind.version}"`;
    return refused(`${missing}; use ${versions.join(" or ")}`, "apiVersion");
  }
  const message = undefinedText(
    cluster,
    kind,
    inGroup.map((one) => one.kind),
  );
  if (unknownKinds === "error") return refused(message, "kind");
  return unknownKinds === "ignore" ? undefined : { problem: problemOf(message, "kind", false, kind) };
}

function undefinedText(cluster: Cluster, kind: GroupVersionKind, known: readonly string[]): string {
  const shown = `${kind.group}/${kind.version} ${kind.kind}`;
  const definition = cluster.rejectedDefinition(kind);
  if (definition !== undefined) {
    return `CustomResourceDefinition "${definition}" was rejected, so ${shown} is not validated`;
  }
  const answer = kindServed(kind);
  const builtin = answer.code === "custom" ? answer.nearest : undefined;
  const nearest = builtin ?? nearestName(kind.kind, known);
  const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
  return `no CustomResourceDefinition for ${shown} in the inputs, so it is not validated${hint}`;
}

function refused(message: string, field: string): UnservedKind {
  return { problem: problemOf(message, field, true), status: failure("NotFound", NOT_FOUND) };
}

function problemOf(message: string, field: string, isRefused: boolean, kind?: GroupVersionKind): Problem {
  return {
    system: "schema",
    level: isRefused ? "deny" : "warning",
    message,
    path: [field],
    returned: isRefused,
    ...(kind && { once: `${kind.group}/${kind.version}/${kind.kind}` }),
  };
}
