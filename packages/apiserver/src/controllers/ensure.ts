// Objects that a server has by itself: created where they are missing, and roles of an earlier version brought up to date.

import { semanticEqual } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import type { LocalClient } from "../client/local-client.ts";
import { callServer } from "./controller.ts";

const EXISTS = [409];

/** The existing object. Another server may have created it first. */
export async function ensure(
  client: LocalClient,
  collection: string,
  name: string,
  body: unknown,
): Promise<KubeObject | undefined> {
  const { code, json } = await client.call("GET", `${collection}/${name}`);
  if (code !== 404) return json() as KubeObject;
  await callServer(client, "POST", collection, body, EXISTS);
  return undefined;
}

/** The same for a role or binding; an existing role may lack rules. */
export async function ensureRole(client: LocalClient, collection: string, wanted: KubeObject): Promise<void> {
  const present = await ensure(client, collection, wanted.metadata?.name ?? "", wanted);
  if (present !== undefined && wanted.rules !== undefined) await bringUpToDate(client, collection, present, wanted);
}

/** The same for a CustomResourceDefinition. */
export async function ensureDefinition(client: LocalClient, definition: KubeObject): Promise<void> {
  const collection = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  await ensure(client, collection, definition.metadata?.name ?? "", definition);
}

/** A role of an earlier version gets the rules it lacks, unless its annotation says that it is to be left alone. */
async function bringUpToDate(
  client: LocalClient,
  collection: string,
  present: KubeObject,
  wanted: KubeObject,
): Promise<void> {
  const { name = "", annotations, labels } = present.metadata ?? {};
  if (annotations?.["rbac.authorization.kubernetes.io/autoupdate"] !== "true") return;
  const [rules, needed] = [rulesOf(present), rulesOf(wanted)];
  const missing = needed.filter((rule) => !rules.some((own) => semanticEqual(own, rule)));
  const isLabelled = Object.entries(wanted.metadata?.labels ?? {}).every(([key, value]) => labels?.[key] === value);
  const isAggregated = present.aggregationRule !== undefined || wanted.aggregationRule === undefined;
  if (missing.length === 0 && isLabelled && isAggregated) return;
  const { aggregationRule } = wanted;
  const body = { metadata: { labels: wanted.metadata?.labels }, aggregationRule, rules: [...rules, ...missing] };
  await callServer(client, "PATCH", `${collection}/${name}`, body, EXISTS);
}

const rulesOf = ({ rules }: KubeObject): readonly unknown[] => (rules as readonly unknown[] | null | undefined) ?? [];
