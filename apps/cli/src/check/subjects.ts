// What is to be asked of the cluster: every object of the inputs, with its old state where there is one, and every request that was
// recorded. Who asks, and for what, comes from the flags.

import type { AdmissionRequest, Operation, UserInfo } from "@celadon/admission";
import { isInvalid } from "@celadon/kube";
import { ADMINISTRATOR, type Ask, type Manifest, type World } from "@celadon/simulator";
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
}

const OPERATIONS: readonly string[] = ["CREATE", "UPDATE", "DELETE", "CONNECT"];

// biome-ignore format: one option per line
export const ASKING: readonly Option[] = [
  { name: "operation",   value: "OP",    help: "CREATE, UPDATE or DELETE; without it UPDATE where there is an old object", choices: OPERATIONS },
  { name: "subresource", value: "NAME",  help: "ask for a subresource, such as status or ephemeralcontainers" },
  { name: "as",          value: "USER",  help: "who asks", fallback: ADMINISTRATOR.username ?? "" },
  { name: "as-group",    value: "GROUP", repeatable: true, help: "groups of who asks" },
  { name: "as-uid",      value: "UID",   help: "uid of who asks" },
  { name: "namespace",   short: "n",     value: "NAME", help: "namespace of objects that name none", fallback: "default" },
];

export interface Asking {
  readonly operation?: Operation;
  readonly subresource?: string;
  readonly user?: UserInfo;
  readonly namespace?: string;
}

export function askingOf(args: Args): Asking {
  const operation = args.text("operation")?.toUpperCase();
  if (operation !== undefined && !OPERATIONS.includes(operation)) {
    throw new UsageError(`unknown operation "${operation}"`, `one of: ${OPERATIONS.join(", ")}`);
  }
  const [username, groups, uid] = [args.text("as"), args.list("as-group"), args.text("as-uid")];
  if (username === undefined && groups.length > 0) {
    throw new UsageError("--as-group without --as", "name the user as well: --as ann --as-group developers");
  }
  const [subresource, namespace] = [args.text("subresource"), args.text("namespace")];
  return {
    ...(operation !== undefined && { operation: operation as Operation }),
    ...(subresource !== undefined && { subresource }),
    ...(namespace !== undefined && { namespace }),
    // Everybody who is known is in this group.
    ...(username !== undefined && {
      user: { username, groups: [...groups, "system:authenticated"], ...(uid !== undefined && { uid }) },
    }),
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
  const asked: Asked[] = manifests.map((manifest) => {
    const { object } = manifest;
    const oldObject = asking.operation === "CREATE" ? undefined : pairs?.oldOf(manifest)?.object;
    return { manifest, ask: { ...asking, object, ...(oldObject && { oldObject }) } };
  });
  for (const manifest of gone)
    asked.push({ manifest, ask: { ...asking, object: manifest.object, operation: "DELETE" } });
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
      recorded: { allowed: code < 400, message: String(event.responseStatus?.message ?? "") },
    };
    asked.push({ manifest: { object, origin: event.origin }, request, ...recorded });
  }
  return { asked, notes };
}
