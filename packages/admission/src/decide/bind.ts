// Params: the objects that a binding's paramRef selects for one request. Several params mean several evaluations; a failed lookup
// is a configuration error with the API server's message. Upstream: apiserver pkg/admission/plugin/policy/generic.

import { isRecord, thrownText } from "@celadon/base";
import { gvkText, type KubeObject, parseGroupVersion } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import { toLabelSelector } from "@celadon/kube/selectors";
import { isPromise, type Maybe, type ParamSource } from "../hosts.ts";
import type { ParamKind, ParamRef } from "../policy.ts";

export type Params =
  /** Null stands for "no params": the policy has no paramKind, or the binding no paramRef. */
  { readonly params: readonly (KubeObject | null)[] } | { readonly error: string; readonly missing?: MissingParams };

/** Why a binding has no params for a policy that has a paramKind. */
export type MissingParams =
  | { readonly cause: "no paramRef" }
  /** The reference or the request gives the namespace; empty for kinds that are cluster-scoped. */
  | { readonly cause: "not found"; readonly kind: ParamKind; readonly ref: ParamRef; readonly namespace: string };

export type ParamScope = "Namespaced" | "Cluster";

const NO_PARAMS: Params = { params: [null] };

/** The scope of a policy's params; `error` when the kind is not known. Undefined for a policy without paramKind. */
export function paramScope(
  kind: ParamKind | undefined,
  source: ParamSource | undefined,
): Maybe<{ readonly scope: ParamScope | undefined } | { readonly error: string }> {
  if (kind === undefined || source === undefined) return { scope: undefined };
  const keep = (scope: unknown): { scope: ParamScope } | { error: string } =>
    scope === "Namespaced" || scope === "Cluster" ? { scope } : { error: unknownKind(kind) };
  const fail = (thrown: unknown): { error: string } => ({ error: thrownText(thrown) });
  try {
    const scope = source.scope(kind);
    return isPromise(scope) ? scope.then(keep, fail) : keep(scope);
  } catch (thrown) {
    return fail(thrown);
  }
}

function unknownKind({ apiVersion = "", kind = "" }: ParamKind): string {
  const parsed = parseGroupVersion(apiVersion);
  const { group, version } = parsed instanceof Invalid ? { group: "", version: "" } : parsed;
  return `failed to find resource referenced by paramKind: '${gvkText({ group, version, kind })}'`;
}

export function bindParams(
  kind: ParamKind | undefined,
  scope: ParamScope | undefined,
  ref: ParamRef | undefined,
  requestNamespace: string,
  source: ParamSource | undefined,
): Maybe<Params> {
  if (kind === undefined || ref === undefined) return NO_PARAMS;
  if (source === undefined || scope === undefined) return { error: `paramKind kind \`${goText(kind)}\` not known` };
  const { name = "", namespace = "", selector } = ref;
  if (scope === "Namespaced" && namespace === "" && requestNamespace === "") {
    return { error: "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources" };
  }
  if (scope === "Cluster" && namespace !== "") {
    return { error: "paramRef.namespace must not be provided for a cluster-scoped `paramKind`" };
  }
  const where = scope === "Cluster" ? "" : namespace || requestNamespace;
  if (name !== "") {
    if (selector) return { error: "paramRef.name and paramRef.selector are mutually exclusive" };
    return settle(kind, ref, where, () => source.get(kind, where, name), toOne);
  }
  if (!selector) return { error: "one of name or selector must be provided" };
  const labels = toLabelSelector(selector);
  if (labels instanceof Invalid) return { error: labels.message };
  return settle(kind, ref, where, () => source.list(kind, where, labels), toMany);
}

function goText({ apiVersion = "", kind = "" }: ParamKind): string {
  return `&ParamKind{APIVersion:${apiVersion},Kind:${kind},}`;
}

function settle(
  kind: ParamKind,
  ref: ParamRef,
  namespace: string,
  ask: () => Maybe<unknown>,
  read: (answer: unknown) => readonly KubeObject[] | undefined,
): Maybe<Params> {
  const keep = (answer: unknown): Params => {
    const found = read(answer);
    if (found === undefined) return { error: "the source of params did not return objects" };
    if (found.length === 0 && ref.parameterNotFoundAction === "Deny") {
      const missing: MissingParams = { cause: "not found", kind, ref, namespace };
      return { error: "no params found for policy binding with `Deny` parameterNotFoundAction", missing };
    }
    return { params: found.map((param) => typed(param, kind)) };
  };
  const fail = (thrown: unknown): Params => ({ error: thrownText(thrown) });
  try {
    const answer = ask();
    return isPromise(answer) ? answer.then(keep, fail) : keep(answer);
  } catch (thrown) {
    return fail(thrown);
  }
}

function toOne(answer: unknown): readonly KubeObject[] | undefined {
  if (answer === undefined || answer === null) return [];
  return isRecord(answer) ? [answer] : undefined;
}

function toMany(answer: unknown): readonly KubeObject[] | undefined {
  return Array.isArray(answer) && answer.every(isRecord) ? answer : undefined;
}

// Expressions may read kind and apiVersion of params even where the host keeps its objects without them.
function typed(param: KubeObject, { apiVersion = "", kind = "" }: ParamKind): KubeObject {
  return Object.hasOwn(param, "kind") && Object.hasOwn(param, "apiVersion") ? param : { ...param, apiVersion, kind };
}
