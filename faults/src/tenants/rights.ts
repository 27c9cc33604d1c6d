// An oracle of rights: the permissions of a tenant, from its grants. It knows the meaning of a request, never its path, and shares no code
// with the server.

/** A permission of a tenant, in one namespace or in all of them. */
export interface Grant {
  readonly namespace: string | undefined;
  readonly verbs: readonly string[];
  /** `secrets`, `deployments/scale`. */
  readonly resources: readonly string[];
  /** Absent: all. */
  readonly names?: readonly string[];
}

/** One thing that somebody wants to do. */
export interface Intent {
  readonly verb: string;
  readonly resource: string;
  /** Undefined for all of them. */
  readonly namespace: string | undefined;
  /** Undefined for collections. */
  readonly name: string | undefined;
}

export function mayDo(grants: readonly Grant[], intent: Intent): boolean {
  for (const grant of grants) {
    const isPlace = grant.namespace === undefined || grant.namespace === intent.namespace;
    const isNamed = grant.names === undefined || (intent.name !== undefined && grant.names.includes(intent.name));
    if (isPlace && isNamed && grant.verbs.includes(intent.verb) && grant.resources.includes(intent.resource))
      return true;
  }
  return false;
}

/** Whether there is any way by which a tenant may see an object. */
export function maySee(grants: readonly Grant[], resource: string, namespace: string, name: string): boolean {
  return ["get", "list", "watch"].some((verb) =>
    [namespace, undefined].some(
      (place) =>
        mayDo(grants, { verb, resource, namespace: place, name }) ||
        mayDo(grants, { verb, resource, namespace: place, name: undefined }),
    ),
  );
}
