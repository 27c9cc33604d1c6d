// Manifests applied to the server: definitions and namespaces before what needs them, everything else in the order it came.

import { gvkOf, type KubeObject, nameOf, namespaceOf } from "@celadon/kube";
import type { Status } from "@celadon/kube/status";
import type { KindTable } from "../kinds/kind-table.ts";
import type { ServedResource } from "../kinds/resource.ts";
import type { LocalClient, Reply } from "./local-client.ts";

/** An object that was applied, and what became of it. */
export interface AppliedObject {
  readonly object: KubeObject;
  /** `created`, `configured`, `unchanged`, or why not. */
  readonly outcome: "created" | "configured" | "unchanged" | "failed";
  readonly warnings: readonly string[];
  readonly status?: Status;
}

/** Options for applying objects. */
export interface ApplyOptions {
  readonly fieldManager?: string;
  /** For objects in namespaces that do not say which; `default` when absent. */
  readonly namespace?: string;
}

const FIRST: Readonly<Record<string, number>> = { CustomResourceDefinition: 0, Namespace: 1 };

/** Applies objects in an order in which they can be accepted: definitions and namespaces first. */
export async function applyObjects(
  client: LocalClient,
  kinds: KindTable,
  objects: readonly KubeObject[],
  options: ApplyOptions = {},
): Promise<readonly AppliedObject[]> {
  const rank = ({ kind = "" }: KubeObject): number => FIRST[kind] ?? 2;
  const ordered = [...objects].sort((a, b) => rank(a) - rank(b));
  const outcomes: AppliedObject[] = [];
  for (const object of ordered) outcomes.push(await applyObject(client, kinds, object, options));
  return outcomes;
}

async function applyObject(
  client: LocalClient,
  kinds: KindTable,
  object: KubeObject,
  { fieldManager = "celadon", namespace = "default" }: ApplyOptions,
): Promise<AppliedObject> {
  const resource = kinds.kind(gvkOf(object));
  if (resource === undefined) return { object, outcome: "failed", warnings: [], status: unknownKind(object) };
  const path = objectPath(resource, namespaceOf(object) || namespace, nameOf(object));
  const before = await client.call("GET", path);
  const url = `${path}?fieldManager=${encodeURIComponent(fieldManager)}&force=true`;
  const reply = await client.call("PATCH", url, { type: "application/apply-patch+yaml", body: object });
  if (reply.code >= 400) return { object, outcome: "failed", warnings: reply.warnings, status: reply.json() as Status };
  return { object, outcome: outcomeOf(before, reply), warnings: reply.warnings };
}

function outcomeOf(before: Reply, after: Reply): AppliedObject["outcome"] {
  if (after.code === 201) return "created";
  return before.text === after.text ? "unchanged" : "configured";
}

/** The path of an object's URL. */
export function objectPath(resource: ServedResource, namespace: string, name: string): string {
  const { group, version, namespaced, resource: plural } = resource;
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const place = namespaced ? `${root}/namespaces/${namespace}` : root;
  return `${place}/${plural}/${encodeURIComponent(name)}`;
}

function unknownKind({ apiVersion = "", kind = "" }: KubeObject): Status {
  const message = `no matches for kind "${kind}" in version "${apiVersion}"`;
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason: "NotFound", code: 404 };
}
