// The handlers of built-in resources, made when first asked for.

import { type GroupVersion, Invalid, type KubeObject, parseGroupVersion } from "@celadon/kube";
import { builtinMergeType } from "@celadon/merge";
import { builtinCodec } from "../codec/builtin-codec.ts";
import { Presenters } from "../codec/presenter.ts";
import { DEFAULT_COLUMNS } from "../codec/table.ts";
import type { ServedResource } from "../kinds/resource.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { builtinStrategy } from "../strategy/builtin-strategy.ts";
import { builtinDeletion } from "../strategy/deletion.ts";
import { SELECTABLE_FIELDS } from "../strategy/selectable-fields.ts";
import type { Strategy } from "../strategy/strategy.ts";
import type { ResourceHandler } from "./services.ts";

/** Events are of interest for an hour. */
const EVENT_SECONDS = 3600;

/** Kinds the server itself reads on every request. */
const KEPT_PARSED: ReadonlySet<string> = new Set([
  "/registry/core/namespaces/",
  "/registry/core/serviceaccounts/",
  "/registry/rbac.authorization.k8s.io/clusterroles/",
  "/registry/rbac.authorization.k8s.io/clusterrolebindings/",
  "/registry/rbac.authorization.k8s.io/roles/",
  "/registry/rbac.authorization.k8s.io/rolebindings/",
]);

export function builtinHandler(resource: ServedResource, objects: ObjectStore, now: () => number): ResourceHandler {
  const { storage } = resource;
  const codec = builtinCodec(resource);
  const strategies = new Map<string, Strategy>();
  const selectable = SELECTABLE_FIELDS[`${storage.apiVersion}/${storage.kind}`] ?? {};
  return {
    resource,
    codec,
    presenters: new Presenters(codec, () => DEFAULT_COLUMNS, now),
    cache: objects.cache(storage, { keepParsed: KEPT_PARSED.has(storage.prefix) }),
    deletion: builtinDeletion(resource),
    strategy(subresource) {
      let strategy = strategies.get(subresource);
      if (strategy === undefined) strategies.set(subresource, (strategy = builtinStrategy(resource, subresource)));
      return strategy;
    },
    selectableFields: new Set(Object.keys(selectable)),
    fieldsOf: (object) => fieldsOf(object, selectable),
    mergeType: (apiVersion) => builtinMergeType({ ...groupVersion(apiVersion), kind: resource.kind }),
    timeToLive: storage.resource === "events" ? EVENT_SECONDS : undefined,
  };
}

function fieldsOf(
  object: KubeObject,
  selectable: Readonly<Record<string, (object: KubeObject) => string>>,
): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  for (const name in selectable) fields[name] = selectable[name]!(object);
  return fields;
}

function groupVersion(apiVersion: string): GroupVersion {
  const parsed = parseGroupVersion(apiVersion);
  return parsed instanceof Invalid ? { group: "", version: "" } : parsed;
}
