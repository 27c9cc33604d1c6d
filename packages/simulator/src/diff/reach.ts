// The requests that a change of the set-up can affect. Nothing else needs to be evaluated twice: a verdict can change only through a
// changed policy or binding, params, permissions or types they use, the object's own CRD, or its namespace.

import type { AdmissionRequest } from "@celadon/admission";
import { gvkOf, type KubeObject, nameOf, parseGroupVersion } from "@celadon/kube";
import { type Role, roleOf } from "../manifest/roles.ts";
import type { SimulatedCluster } from "../simulated/simulated-cluster.ts";
import type { ResourceChange } from "./resource-changes.ts";

/** Changes of these leave everything else that policies ask of a cluster as it is. */
const APART: ReadonlySet<Role> = new Set(["policy", "binding", "webhooks", "certificatePolicy"]);

export class Reach {
  /** Params, namespaces, permissions and kinds are the same in both simulated clusters. */
  readonly sameHosts: boolean;
  /** Whether mutation may change, on which policies depend. */
  readonly mutates: boolean;
  readonly #policies = new Set<string>();
  /** `group/kind` of objects that are read, validated or found in another way, and `group/resource` of the same. */
  readonly #kinds = new Set<string>();
  readonly #resources = new Set<string>();
  readonly #namespaces = new Set<string>();
  readonly #webhooks: boolean;
  readonly #certificates: boolean;

  constructor(changes: readonly ResourceChange[], old: SimulatedCluster, next: SimulatedCluster) {
    const roles = new Set(changes.map(({ role }) => role));
    const objects = changes.flatMap(({ was, now }) =>
      [was, now].flatMap((manifest) => (manifest ? [manifest.object] : [])),
    );
    for (const object of objects) this.#add(object);
    const changedKinds = new Set([...objects.map(kindOf), ...this.#kinds]);
    const permissions = roles.has("rbac");
    this.sameHosts = [...roles].every((role) => APART.has(role));
    for (const { policy } of [...old.policies.entries(), ...next.policies.entries()]) {
      const { paramKind } = policy;
      const params = paramKind && changedKinds.has(paramKindOf(paramKind));
      if (params || (permissions && mentionsAuthorizer(policy.policy))) this.#policies.add(policy.name);
    }
    this.#webhooks = roles.has("webhooks") || permissions;
    this.#certificates = roles.has("certificatePolicy") || permissions;
    this.mutates = [old, next].some(
      ({ mutatingPolicies, options }) => mutatingPolicies.entries().length > 0 || options.webhooks !== undefined,
    );
  }

  #add(object: KubeObject): void {
    switch (roleOf(object)) {
      case "policy":
        this.#policies.add(nameOf(object));
        break;
      case "binding":
        this.#policies.add(String(memberOf(object.spec, "policyName") ?? ""));
        break;
      case "definition": {
        const names = memberOf(object.spec, "names");
        const group = String(memberOf(object.spec, "group") ?? "");
        this.#kinds.add(`${group}/${String(memberOf(names, "kind") ?? "")}`);
        this.#resources.add(`${group}/${String(memberOf(names, "plural") ?? "")}`);
        break;
      }
      case "namespace":
        this.#namespaces.add(nameOf(object));
        break;
    }
  }

  /** Policies that may answer differently, by name. */
  get policies(): ReadonlySet<string> {
    return this.#policies;
  }

  /** More than policies may answer this request differently. */
  reachesWhole(request: AdmissionRequest): boolean {
    if (this.mutates) return true;
    const { kind, resource, namespace = "", object, oldObject } = request;
    if (this.#webhooks || this.#namespaces.has(namespace)) return true;
    if (this.#kinds.has(`${kind.group}/${kind.kind}`)) return true;
    if (this.#resources.has(`${resource.group}/${resource.resource}`)) return true;
    return this.#certificates && /^certificate(?:Request)?$/.test(roleOf(object ?? oldObject ?? {}));
  }
}

function kindOf(object: KubeObject): string {
  const { group, kind } = gvkOf(object);
  return `${group}/${kind}`;
}

function paramKindOf({ apiVersion = "", kind = "" }: { readonly apiVersion?: string; readonly kind?: string }): string {
  const parsed = parseGroupVersion(apiVersion);
  return `${"group" in parsed ? parsed.group : ""}/${kind}`;
}

/** An expression cannot ask for permissions without the word. */
function mentionsAuthorizer(policy: { readonly spec?: unknown }): boolean {
  return (JSON.stringify(policy.spec) ?? "").includes("authorizer");
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}
