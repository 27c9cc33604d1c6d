// Impersonation: the Impersonate headers, each part allowed by the authorizer. There are several modes: those that specify users and
// requests (`impersonate:user-info` with `impersonate-on:user-info:get`), and the old one that allows everything at once (`impersonate`).
// The first mode that allows the request counts; for a user who used a mode before, that mode is tried first. Upstream: apiserver
// pkg/endpoints/filters/impersonation.

import type { UserInfo } from "@celadon/admission";
import { BoundedMap, quoteGo } from "@celadon/base";
import { checkDns1123Subdomain } from "@celadon/kube/names";
import { badRequest, type Status } from "@celadon/kube/status";
import type { Attributes, User } from "@celadon/kube-cel";
import type { Call } from "../wire/call.ts";
import { StatusError } from "../wire/status-error.ts";
import { AUTHENTICATED, UNAUTHENTICATED } from "./authenticator.ts";
import { serviceAccountGroups, splitServiceAccount } from "./service-account-name.ts";

const EXTRA = "impersonate-extra-";
const NODE = "system:node:";
const AUTHENTICATION = "authentication.k8s.io";
/** With so many groups or extras, one question about all of them comes first. */
const MANY = 4;
/** Users whose last mode is remembered. */
const REMEMBERED = 10_000;

export interface ImpersonationHosts {
  /** Throws a StatusError when it is not allowed. */
  require(attributes: Attributes): Promise<void>;
  /** The Status for a request that is not allowed. */
  forbidden(attributes: Attributes, reason: string): Status;
}

export interface Impersonated {
  readonly user: UserInfo;
  /** The verb that allowed it, for the audit log; empty for the old mode. */
  readonly constraint: string;
}

/** The impersonated user that the headers name. */
interface Wanted {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

interface Mode {
  readonly name: string;
  /** Whether the mode applies to these headers. */
  isFor(wanted: Wanted, requestor: User): boolean;
}

const MODES: readonly Mode[] = [
  {
    name: "associated-node",
    isFor: (wanted, requestor) => {
      const node = isPlain(wanted) ? nodeName(wanted.username) : undefined;
      const own = requestor.extra?.["authentication.kubernetes.io/node-name"] ?? [];
      const isAccount = splitServiceAccount(requestor.name ?? "") !== undefined;
      return node !== undefined && isAccount && own.length === 1 && own[0] === node;
    },
  },
  { name: "arbitrary-node", isFor: (wanted) => isPlain(wanted) && nodeName(wanted.username) !== undefined },
  {
    name: "serviceaccount",
    isFor: (wanted) => isPlain(wanted) && splitServiceAccount(wanted.username) !== undefined,
  },
  {
    name: "user-info",
    isFor: ({ username }) => nodeName(username) === undefined && splitServiceAccount(username) === undefined,
  },
  { name: "", isFor: () => true },
];

const isPlain = ({ uid, groups, extra }: Wanted): boolean =>
  uid === "" && groups.length === 0 && Object.keys(extra).length === 0;

function nodeName(username: string): string | undefined {
  if (!username.startsWith(NODE)) return undefined;
  const name = username.slice(NODE.length);
  return checkDns1123Subdomain(name).length === 0 ? name : undefined;
}

export class Impersonation {
  readonly #hosts: ImpersonationHosts;
  readonly #lastModes = new BoundedMap<string, Mode>(REMEMBERED);

  constructor(hosts: ImpersonationHosts) {
    this.#hosts = hosts;
  }

  /** Undefined if the request does not impersonate. `request` is the original request. */
  async impersonated(call: Call, request: Attributes): Promise<Impersonated | undefined> {
    const wanted = wantedOf(call);
    if (wanted === undefined) return undefined;
    const who = request.user.name ?? "";
    const last = this.#lastModes.get(who);
    let refusal: unknown;
    for (const mode of last === undefined ? MODES : [last, ...MODES.filter((item) => item !== last)]) {
      if (!mode.isFor(wanted, request.user)) continue;
      try {
        const user = await this.#check(mode, wanted, request);
        if (mode !== last) this.#lastModes.set(who, mode);
        return { user, constraint: mode.name === "" ? "" : `impersonate:${mode.name}` };
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        refusal ??= error;
      }
    }
    throw refusal;
  }

  async #check({ name }: Mode, wanted: Wanted, request: Attributes): Promise<UserInfo> {
    const isConstrained = name !== "";
    const user = name === "associated-node" ? withoutExtraValues(request.user) : request.user;
    if (isConstrained) {
      await this.#hosts.require({ ...request, user, verb: `impersonate-on:${name}:${request.verb}` });
    }
    const ask: Ask = (what) =>
      this.#hosts.require({ ...attributesOf(user, name, what), ...(name === "associated-node" && { name: "*" }) });
    const refuse = (what: Partial<Attributes>, reason: string): StatusError =>
      new StatusError(this.#hosts.forbidden(attributesOf(user, name, what), reason));
    const own = await this.#username(wanted, isConstrained, ask);
    const { uid, groups, extra } = wanted;
    if (uid !== "") await ask({ apiGroup: AUTHENTICATION, resource: "uids", name: uid });
    await checkGroups(groups, isConstrained, ask, refuse);
    await checkExtra(extra, isConstrained, ask, refuse);
    return {
      username: wanted.username,
      groups: withStanding(wanted.username, own),
      ...(uid !== "" && { uid }),
      ...(Object.keys(extra).length > 0 && { extra }),
    };
  }

  /** The groups of the user; those of nodes and service accounts follow from the name. */
  async #username({ username, groups }: Wanted, isConstrained: boolean, ask: Ask): Promise<readonly string[]> {
    const account = splitServiceAccount(username);
    if (account !== undefined) {
      await ask({ resource: "serviceaccounts", ...account });
      return groups.length > 0 ? groups : serviceAccountGroups(account.namespace);
    }
    const node = isConstrained ? nodeName(username) : undefined;
    if (node !== undefined) {
      await ask({ resource: "nodes", name: node });
      return ["system:nodes"];
    }
    await ask({ resource: "users", name: username });
    return groups;
  }
}

type Ask = (what: Partial<Attributes>) => Promise<void>;
type Refuse = (what: Partial<Attributes>, reason: string) => StatusError;

/** In the old mode users, groups and accounts are of the core group. */
function attributesOf(user: User, mode: string, what: Partial<Attributes>): Attributes {
  const verb = mode === "" ? "impersonate" : `impersonate:${mode}`;
  const apiGroup = mode === "" ? "" : AUTHENTICATION;
  return { user, verb, resourceRequest: true, apiGroup, apiVersion: "v1", ...what };
}

async function checkGroups(groups: readonly string[], isConstrained: boolean, ask: Ask, refuse: Refuse): Promise<void> {
  if (isConstrained) {
    if (groups.includes("")) {
      throw refuse({ resource: "groups" }, "impersonating the empty string group is not allowed");
    }
    if (groups.includes("system:masters")) {
      const what = { resource: "groups", name: "system:masters" };
      throw refuse(what, "impersonating the system:masters group is not allowed");
    }
    if (groups.length >= MANY && (await isAllowed(ask({ resource: "groups", name: "*" })))) return;
  }
  for (const name of groups) await ask({ resource: "groups", name });
}

async function checkExtra(extra: Wanted["extra"], isConstrained: boolean, ask: Ask, refuse: Refuse): Promise<void> {
  const keys = Object.keys(extra);
  const all = { apiGroup: AUTHENTICATION, resource: "userextras" };
  if (isConstrained) {
    const problem = keys.map((key) => extraProblem(key, extra[key]!)).find((text) => text !== undefined);
    if (problem !== undefined) throw refuse(all, problem);
    const values = keys.flatMap((key) => extra[key]!).length;
    if (Math.max(keys.length, values) >= MANY && (await isAllowed(ask({ ...all, subresource: "*", name: "*" }))))
      return;
  }
  for (const key of keys) for (const name of extra[key]!) await ask({ ...all, subresource: key, name });
}

function extraProblem(key: string, values: readonly string[]): string | undefined {
  if (key === "") return "impersonating the empty string key in extra is not allowed";
  const invalid = (value: string, text: string): string =>
    `impersonating an invalid key in extra is not allowed: extra.key: Invalid value: ${quoteGo(value)}: ${text}`;
  const slash = key.indexOf("/");
  if (slash <= 0 || slash === key.length - 1) {
    return invalid(key, 'must be a domain-prefixed path (such as "acme.io/foo")');
  }
  const [problem] = checkDns1123Subdomain(key.slice(0, slash));
  if (problem !== undefined) return invalid(key.slice(0, slash), problem);
  if (values.includes("")) return "impersonating the empty string value in extra is not allowed";
  return undefined;
}

async function isAllowed(asked: Promise<void>): Promise<boolean> {
  try {
    await asked;
    return true;
  } catch (error) {
    if (error instanceof StatusError) return false;
    throw error;
  }
}

/**
 * Removes the node from a user's extra values, because deciding needs only the fact that the user belongs to it.
 */
function withoutExtraValues(user: User): User {
  const keys = Object.keys(user.extra ?? {}).sort();
  return { ...user, extra: { "authentication.kubernetes.io/associated-node-keys": keys } };
}

function wantedOf(call: Call): Wanted | undefined {
  const wanted: Wanted = {
    username: call.header("impersonate-user") ?? "",
    uid: call.header("impersonate-uid") ?? "",
    groups: call.headerValues("impersonate-group"),
    extra: extraOf(call),
  };
  if (wanted.username !== "") return wanted;
  if (isPlain(wanted)) return undefined;
  throw new StatusError(badRequest(`requested ${goText(wanted)} without impersonating a user name`));
}

/** Prints the user as Go does. */
function goText({ username, uid, groups, extra }: Wanted): string {
  const list = (values: readonly string[]): string => `[]string{${values.map(quoteGo).join(", ")}}`;
  const keys = Object.keys(extra).sort();
  const extras = keys.map((key) => `${quoteGo(key)}:${list(extra[key]!)}`).join(", ");
  const groupText = groups.length === 0 ? "[]string(nil)" : list(groups);
  const extraText = keys.length === 0 ? "map[string][]string(nil)" : `map[string][]string{${extras}}`;
  const fields = `Name:${quoteGo(username)}, UID:${quoteGo(uid)}, Groups:${groupText}, Extra:${extraText}`;
  return `&user.DefaultInfo{${fields}}`;
}

function withStanding(username: string, groups: readonly string[]): readonly string[] {
  if (username === "system:anonymous") {
    return groups.includes(UNAUTHENTICATED) ? groups : [...groups, UNAUTHENTICATED];
  }
  return groups.includes(AUTHENTICATED) || groups.includes(UNAUTHENTICATED) ? groups : [...groups, AUTHENTICATED];
}

function extraOf(call: Call): Record<string, readonly string[]> {
  const extra = new Map<string, readonly string[]>();
  for (const name of call.headerNames()) {
    if (!name.startsWith(EXTRA)) continue;
    const key = decoded(name.slice(EXTRA.length));
    extra.set(key, [...(extra.get(key) ?? []), ...call.headerValues(name)]);
  }
  return Object.fromEntries(extra);
}

function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
