// What is to be asked of the cluster: every object of the inputs, with its old state where there is one, and every request that was
// recorded. Who asks, and for what, comes from the flags.

import type { AdmissionRequest, Operation, UserInfo } from "@celadon/admission";
import { isInvalid, type KubeObject, nameOf } from "@celadon/kube";
import { ADMINISTRATOR, type Ask, connectionOf, impersonated, type Manifest, type World } from "@celadon/simulator";
import type { Args, Option } from "../command.ts";
import { UsageError } from "../exit.ts";
import { type Loaded, type Pairs, requestOfEvent, type SourceNote } from "../sources/index.ts";

export type Asked =
  | { readonly manifest: Manifest; readonly ask: Ask }
  | { readonly manifest: Manifest; readonly request: AdmissionRequest; readonly recorded?: Recorded };

/** What a real server or webhook answered. */
export interface Recorded {
  readonly allowed: boolean;
  readonly message: string;
  /** Of an audit event: the code of the whole response, which admission is not alone to decide. */
  readonly code?: number;
}

const OPERATIONS: readonly string[] = ["CREATE", "UPDATE", "DELETE", "CONNECT"];

// biome-ignore format: one option per line
export const ASKING: readonly Option[] = [
  { name: "operation",     value: "OP",        help: "CREATE, UPDATE or DELETE; without it UPDATE where there is an old object, and CONNECT for options such as PodExecOptions", choices: OPERATIONS },
  { name: "subresource",   value: "NAME",      help: "ask for a subresource, such as status or ephemeralcontainers" },
  { name: "as",            value: "USER",      help: "who asks", fallback: ADMINISTRATOR.username ?? "" },
  { name: "as-group",      value: "GROUP",     repeatable: true, help: "groups of who asks" },
  { name: "as-uid",        value: "UID",       help: "uid of who asks" },
  { name: "as-user-extra", value: "KEY=VALUE", repeatable: true, help: "extra of who asks; a key may have several values" },
  { name: "namespace",     short: "n",         value: "NAME", help: "namespace of objects that name none", fallback: "default" },
  { name: "name",          value: "NAME",      help: "name of objects that have none, such as of the pod that PodExecOptions are for" },
];

export interface Asking {
  readonly operation?: Operation;
  readonly subresource?: string;
  readonly user?: UserInfo;
  readonly namespace?: string;
  readonly name?: string;
}

export function askingOf(args: Args): Asking {
  const operation = args.text("operation")?.toUpperCase();
  if (operation !== undefined && !OPERATIONS.includes(operation)) {
    throw new UsageError(`unknown operation "${operation}"`, `one of: ${OPERATIONS.join(", ")}`);
  }
  const [subresource, namespace, name, user] = [
    args.text("subresource"),
    args.text("namespace"),
    args.text("name"),
    userOf(args),
  ];
  return {
    ...(operation !== undefined && { operation: operation as Operation }),
    ...(subresource !== undefined && { subresource }),
    ...(namespace !== undefined && { namespace }),
    ...(name !== undefined && { name }),
    ...(user !== undefined && { user }),
  };
}

function userOf(args: Args): UserInfo | undefined {
  const [username, uid] = [args.text("as"), args.text("as-uid")];
  if (username === undefined) {
    const alone = ["as-group", "as-uid", "as-user-extra"].find((flag) => args.list(flag).length > 0);
    if (alone === undefined) return undefined;
    throw new UsageError(`--${alone} without --as`, "name the user as well: --as ann --as-group developers");
  }
  const extra = new Map<string, string[]>();
  for (const text of args.list("as-user-extra")) {
    const at = text.indexOf("=");
    if (at < 1) throw new UsageError(`--as-user-extra "${text}" is not KEY=VALUE`);
    const key = text.slice(0, at);
    extra.set(key, [...(extra.get(key) ?? []), text.slice(at + 1)]);
  }
  return {
    ...impersonated(username, args.list("as-group")),
    ...(uid !== undefined && { uid }),
    ...(extra.size > 0 && { extra: Object.fromEntries(extra) }),
  };
}

export interface Subjects {
  readonly asked: readonly Asked[];
  readonly notes: readonly SourceNote[];
}

export function subjectsOf(
  { manifests, reviews, events }: Pick<Loaded, "manifests" | "reviews" | "events">,
  pairs: Pairs | undefined,
  asking: Asking,
  world: World,
): Subjects {
  const gone = asking.operation === undefined ? (pairs?.deleted ?? []) : [];
  // Nothing but options can be connected with: the rest is set-up then.
  const subjects =
    asking.operation === "CONNECT" ? manifests.filter(({ object }) => connectionOf(object) !== undefined) : manifests;
  const asked: Asked[] = subjects.map((manifest) => {
    const { object } = manifest;
    const oldObject = asking.operation === "CREATE" ? undefined : pairs?.oldOf(manifest)?.object;
    return { manifest, ask: { ...unnamed(asking, object), object, ...(oldObject && { oldObject }) } };
  });
  for (const manifest of gone)
    asked.push({
      manifest,
      ask: { ...unnamed(asking, manifest.object), object: manifest.object, operation: "DELETE" },
    });
  for (const { request, response, objectOrigin } of reviews) {
    const object = request.object ?? request.oldObject ?? {};
    const recorded = response && { allowed: response.allowed, message: String(response.status?.message ?? "") };
    asked.push({ manifest: { object, origin: objectOrigin }, request, ...(recorded && { recorded }) });
  }
  const notes: SourceNote[] = [];
  for (const event of events) {
    const request = requestOfEvent(event, world.resources);
    if (isInvalid(request)) {
      notes.push({ file: event.origin.file, message: `audit event ${event.auditID} left out: ${request.message}` });
      continue;
    }
    const object = request.object ?? request.oldObject ?? {};
    const code = event.responseStatus?.code;
    const recorded = typeof code === "number" && {
      recorded: { allowed: code < 400, message: String(event.responseStatus?.message ?? ""), code },
    };
    asked.push({ manifest: { object, origin: event.origin }, request, ...recorded });
  }
  return { asked, notes };
}

/** The name of the flags is for objects that have none. */
function unnamed({ name, ...asking }: Asking, object: KubeObject): Asking {
  return name !== undefined && nameOf(object) === "" ? { ...asking, name } : asking;
}
