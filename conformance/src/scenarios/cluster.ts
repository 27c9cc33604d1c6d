// An API server's minimum, in memory: kinds, a store, users, and the way of a request through decoding, admission and storing. It answers
// the requests of scenarios. Requests that only a full server can answer are listed in not-answered.ts, not imitated.

import { createPolicySet } from "@celadon/admission";
import type { Chain } from "@celadon/admission/chain";
import { createMutatingPolicySet } from "@celadon/admission/mutating";
import { WebhookSet } from "@celadon/admission/webhook";
import { forbidden, notFound, type Status } from "@celadon/kube/status";
import { type Answer, type Call, failed, type Place, succeeded } from "./call.ts";
import { connect } from "./connect.ts";
import { deleteCollection, deleteObject } from "./delete.ts";
import type { Handler, User, Write } from "./handler.ts";
import type { JsonObject } from "./json.ts";
import { type Kind, KindTable } from "./kinds.ts";
import { scaleOf } from "./scale.ts";
import { Store } from "./store.ts";
import { create, patch, update } from "./write.ts";

export interface Attributes {
  readonly user: User;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

export interface ClusterOptions {
  readonly handlers?: readonly Handler[];
  /** Admission for a write. Default: everything is admitted. */
  readonly chain?: (write: Write) => Chain;
  /** Whether a user may make a request. Default: everybody may do everything. */
  readonly authorize?: (attributes: Attributes, cluster: ScenarioCluster) => Promise<boolean>;
}

/** Members of `system:masters` may do everything. */
export const ADMINISTRATOR: User = { username: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] };

export class ScenarioCluster {
  readonly kinds: KindTable = new KindTable();
  readonly store: Store = new Store();
  readonly handlers: readonly Handler[];
  readonly chain: (write: Write) => Chain;
  private readonly authorize: (attributes: Attributes, cluster: ScenarioCluster) => Promise<boolean>;
  private made = 0;

  constructor(options: ClusterOptions = {}) {
    this.handlers = options.handlers ?? [];
    this.chain = options.chain ?? (() => NO_ADMISSION);
    this.authorize = options.authorize ?? (() => Promise.resolve(true));
  }

  handlerOf(kind: Kind): Handler {
    return this.handlers.find((handler) => handler.handles(kind)) ?? PLAIN;
  }

  /** A number that is never given twice, for uids and generated names. */
  fresh(): number {
    this.made++;
    return this.made;
  }

  /** The object in the requested version, or undefined. */
  get(kind: Kind, namespace: string, name: string): JsonObject | undefined {
    const stored = this.store.get(kind, namespace, name);
    return stored && this.convert(stored, kind);
  }

  list(kind: Kind, namespace?: string): JsonObject[] {
    return this.store.list(kind, namespace).map((object) => this.convert(object, kind));
  }

  /** An object in another version of its resource. */
  convert(object: JsonObject, to: Kind): JsonObject {
    const apiVersion = to.group === "" ? to.version : `${to.group}/${to.version}`;
    if (object.apiVersion === apiVersion && object.kind === to.kind) return object;
    const converted = this.handlerOf(to).convert?.(object, to, this);
    return converted ?? { ...object, apiVersion };
  }

  async call(call: Call): Promise<Answer> {
    const kind = this.kinds.find(call.ref);
    if (kind === undefined) return text(404, "404 page not found");
    const place = placeOf(call, kind);
    const user = call.user ?? ADMINISTRATOR;
    const refused = await this.refusal(call, kind, place, user);
    if (refused !== undefined) return failed(refused);
    const subresource = call.subresource ?? "";
    if (subresource !== "" && !Object.hasOwn(kind.subresources, subresource)) return text(404, "404 page not found");
    switch (call.verb) {
      case "get": {
        const object = this.get(kind, place.namespace, place.name);
        if (object === undefined) return failed(notFound(kind, place.name));
        const readable = this.readable(kind, object);
        return succeeded(200, subresource === "scale" ? scaleOf(this, kind, readable) : readable);
      }
      case "create":
        return create(this, kind, place, user, call);
      case "update":
        return update(this, kind, place, user, call);
      case "patch":
        return patch(this, kind, place, user, call);
      case "delete":
        return deleteObject(this, kind, place, user, call);
      case "deletecollection":
        return deleteCollection(this, kind, place, user, call);
      case "connect":
        return connect(this, kind, place, user, call);
    }
  }

  private readable(kind: Kind, object: JsonObject): JsonObject {
    return this.handlerOf(kind).read?.(object, this) ?? object;
  }

  private async refusal(call: Call, kind: Kind, place: Place, user: User): Promise<Status | undefined> {
    if (user.groups.includes("system:masters")) return undefined;
    const verb = call.verb === "connect" ? "create" : call.verb;
    const name = verb === "create" && !call.subresource ? "" : place.name;
    const { group, resource } = kind;
    const subresource = call.subresource ?? "";
    const { namespace } = place;
    if (await this.authorize({ user, verb, group, resource, subresource, namespace, name }, this)) return undefined;
    const what = subresource === "" ? resource : `${resource}/${subresource}`;
    const where = namespace === "" ? "at the cluster scope" : `in the namespace "${namespace}"`;
    const cause = `User "${user.username}" cannot ${verb} resource "${what}" in API group "${group}" ${where}`;
    return forbidden({ group, resource: what }, name, cause);
  }
}

function placeOf(call: Call, kind: Kind): Place {
  const { ref } = call;
  const namespace = kind.namespaced ? (ref.namespace ?? ref.metadata?.namespace ?? "default") : "";
  return { namespace, name: String(ref.name ?? ref.metadata?.name ?? "") };
}

const PLAIN: Handler = { handles: () => true };

const NO_ADMISSION: Chain = {
  mutatingPolicies: createMutatingPolicySet(),
  policies: createPolicySet(),
  webhooks: WebhookSet.of(),
  hosts: {},
};

function text(code: number, content: string): Answer {
  return { code, text: content, warnings: [], auditAnnotations: {} };
}
