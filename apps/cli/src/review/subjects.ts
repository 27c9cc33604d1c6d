// The requests to review: every object of the inputs, with its old state if there is one, and every recorded request. User and operation
// come from the flags.

import type { AdmissionRequest, Operation, UserInfo } from "@celadon/admission";
import { type KubeObject, nameOf } from "@celadon/kube";
import { isInvalid } from "@celadon/kube/errors";
import {
  ADMINISTRATOR,
  connectionOf,
  type IntendedRequest,
  impersonated,
  type SimulatedCluster,
} from "@celadon/simulator";
import { isSetUp, type Manifest } from "@celadon/simulator/manifests";
import type { ArgsOf, Option } from "../program/command.ts";
import { UsageError } from "../program/exit.ts";
import { type Loaded, type Pairs, requestOfEvent, type SourceNote } from "../sources/index.ts";
import { administeredIn } from "./existing.ts";

export type ReviewSubject =
  | { readonly manifest: Manifest; readonly ask: IntendedRequest }
  | { readonly manifest: Manifest; readonly request: AdmissionRequest; readonly recorded?: Recorded };

/** The answer of a real server or webhook. */
export interface Recorded {
  readonly allowed: boolean;
  readonly message: string;
  /**
   * The code of the whole response in an audit event, which admission is not alone to decide.
   */
  readonly code?: number;
}

const OPERATIONS: readonly string[] = ["CREATE", "UPDATE", "DELETE", "CONNECT"];

// biome-ignore format: one option per line
export const ASKING = [
  { name: "operation",     value: "OP",        help: "CREATE, UPDATE, DELETE or CONNECT; by default UPDATE if there is an old object, CONNECT for kinds such as PodExecOptions, otherwise CREATE", choices: OPERATIONS },
  { name: "subresource",   value: "NAME",      help: "subresource to write, such as status or ephemeralcontainers" },
  { name: "as",            value: "USER",      help: "user to impersonate", fallback: ADMINISTRATOR.username ?? "" },
  { name: "as-group",      value: "GROUP",     repeatable: true, help: "group to impersonate" },
  { name: "as-uid",        value: "UID",       help: "UID to impersonate" },
  { name: "as-user-extra", value: "KEY=VALUE", repeatable: true, help: "extra attribute of the user to impersonate; repeat a key to give it several values" },
  { name: "namespace",     short: "n",         value: "NAME", help: "namespace for objects without one", fallback: "default" },
  { name: "name",          value: "NAME",      help: "name for objects without one, such as the pod of PodExecOptions" },
  { name: "issuer",        value: "[KIND/]NAME", help: "issuer of the CertificateRequest that a .csr file is read as, such as ClusterIssuer/ca" },
] as const satisfies readonly Option[];

export interface Asking {
  readonly operation?: Operation;
  readonly subresource?: string;
  readonly user?: UserInfo;
  readonly namespace?: string;
  readonly name?: string;
}

export function askingOf(args: ArgsOf<typeof ASKING>): Asking {
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

function userOf(args: ArgsOf<typeof ASKING>): UserInfo | undefined {
  const [username, uid] = [args.text("as"), args.text("as-uid")];
  if (username === undefined) {
    const alone = (["as-group", "as-uid", "as-user-extra"] as const).find((flag) => args.list(flag).length > 0);
    if (alone === undefined) return undefined;
    throw new UsageError(`--${alone} needs --as`, "name the user too, such as --as ann --as-group developers");
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
  /** The requests, in order; created while they are iterated, and read if they are not in memory. */
  readonly asked: Iterable<ReviewSubject>;
  /** The requests for set-up resources. */
  readonly setUp: readonly ReviewSubject[];
  readonly notes: readonly SourceNote[];
}

type Inputs = Pick<Loaded, "stream" | "manifests" | "reviews" | "events">;

/** `isAdministered` tells which objects an administrator writes for every user; without it, the set-up. */
export function subjectsOf(
  { stream, manifests, reviews, events }: Inputs,
  pairs: Pairs | undefined,
  asking: Asking,
  simulated: SimulatedCluster,
  isAdministered: (object: KubeObject) => boolean = administeredIn(simulated),
): Subjects {
  const { user: _, ...byAdministrator } = asking;
  const askingFor = (object: KubeObject): Asking => unnamed(isAdministered(object) ? byAdministrator : asking, object);
  // Only options can be connected with: the rest is set-up then.
  const isSubject = ({ object }: Manifest): boolean =>
    asking.operation !== "CONNECT" || connectionOf(object) !== undefined;
  const askedOf = (manifest: Manifest): ReviewSubject => {
    const { object } = manifest;
    const oldObject = asking.operation === "CREATE" ? undefined : pairs?.oldOf(manifest)?.object;
    return { manifest, ask: { ...askingFor(object), object, ...(oldObject && { oldObject }) } };
  };
  const gone = asking.operation === undefined ? (pairs?.deleted ?? []) : [];
  const deletions = gone.map((manifest): ReviewSubject => {
    const { object } = manifest;
    return { manifest, ask: { ...askingFor(object), object, operation: "DELETE" } };
  });
  const { asked: recorded, notes } = recordedOf(reviews, events, simulated);
  function* asked(): Generator<ReviewSubject> {
    for (const manifest of stream) if (isSubject(manifest)) yield askedOf(manifest);
    yield* deletions;
    yield* recorded;
  }
  return {
    asked: { [Symbol.iterator]: asked },
    setUp: manifests.filter((manifest) => isSetUp(manifest.object) && isSubject(manifest)).map(askedOf),
    notes,
  };
}

/** Requests that were recorded. */
function recordedOf(
  reviews: Loaded["reviews"],
  events: Loaded["events"],
  simulated: SimulatedCluster,
): { readonly asked: readonly ReviewSubject[]; readonly notes: readonly SourceNote[] } {
  const asked: ReviewSubject[] = [];
  for (const { request, response, objectOrigin } of reviews) {
    const object = request.object ?? request.oldObject ?? {};
    const recorded = response && { allowed: response.allowed, message: String(response.status?.message ?? "") };
    asked.push({ manifest: { object, origin: objectOrigin }, request, ...(recorded && { recorded }) });
  }
  const skipped = new Map<string, Map<string, number>>();
  for (const event of events) {
    const request = requestOfEvent(event, simulated.resources);
    if (isInvalid(request)) {
      const { file } = event.origin;
      const causes = skipped.get(file) ?? new Map<string, number>();
      skipped.set(file, causes.set(request.message, (causes.get(request.message) ?? 0) + 1));
      continue;
    }
    const object = request.object ?? request.oldObject ?? {};
    const code = event.responseStatus?.code;
    const recorded = typeof code === "number" && {
      recorded: { allowed: code < 400, message: String(event.responseStatus?.message ?? ""), code },
    };
    asked.push({ manifest: { object, origin: event.origin }, request, ...recorded });
  }
  return { asked, notes: [...skipped].map(([file, causes]) => ({ file, message: skippedText(causes) })) };
}

/** One line for a log, however long it is: how many events were skipped for which cause. */
function skippedText(causes: ReadonlyMap<string, number>): string {
  const total = [...causes.values()].reduce((sum, count) => sum + count, 0);
  const parts = [...causes]
    .sort(([, a], [, b]) => b - a)
    .map(([cause, count]) => (causes.size === 1 ? cause : `${count} × ${cause}`));
  return `${total} audit ${total === 1 ? "event" : "events"} skipped: ${parts.slice(0, SHOWN_CAUSES).join("; ")}${parts.length > SHOWN_CAUSES ? "; …" : ""}`;
}

const SHOWN_CAUSES = 6;

/** The name of the flags is for objects that have none. */
function unnamed({ name, ...asking }: Asking, object: KubeObject): Asking {
  return name !== undefined && nameOf(object) === "" ? { ...asking, name } : asking;
}
