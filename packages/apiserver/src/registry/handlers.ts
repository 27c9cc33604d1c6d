// The handlers of built-in and custom resources, made when first asked for.

import type { CustomResourceDefinition, PrinterColumn, ResourceVersion } from "@celadon/crd";
import { type GroupVersion, Invalid, type KubeObject, parseGroupVersion, readSchema } from "@celadon/kube";
import { builtinMergeType, customMergeType, type MergeType } from "@celadon/merge";
import { builtinCodec } from "../codec/builtin-codec.ts";
import { builtinColumns, customColumns } from "../codec/columns.ts";
import { customCodec } from "../codec/custom-codec.ts";
import { definitionCodec } from "../codec/definition-codec.ts";
import { Presenters } from "../codec/presenter.ts";
import type { CustomVersion } from "../custom/definitions.ts";
import type { ServedResource } from "../kinds/resource.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { customStrategy } from "../strategy/custom-strategy.ts";
import { builtinDeletion } from "../strategy/deletion.ts";
import { loadStrategy } from "../strategy/load-strategy.ts";
import type { PolicyHosts } from "../strategy/policy-strategy.ts";
import { fieldAt, SELECTABLE_FIELDS } from "../strategy/selectable-fields.ts";
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
  "/registry/apiextensions.k8s.io/customresourcedefinitions/",
]);

export function builtinHandler(
  resource: ServedResource,
  objects: ObjectStore,
  hosts: PolicyHosts,
  now: () => number,
): ResourceHandler {
  const { storage } = resource;
  const codec = resource.kind === "CustomResourceDefinition" ? definitionCodec(resource) : builtinCodec(resource);
  const strategies = new Map<string, Strategy>();
  const selectable = SELECTABLE_FIELDS[`${storage.apiVersion}/${storage.kind}`] ?? {};
  return {
    resource,
    codec,
    presenters: new Presenters(codec, () => builtinColumns(resource.apiVersion, resource.kind), now),
    cache: objects.cache(storage, { keepParsed: KEPT_PARSED.has(storage.prefix) }),
    deletion: builtinDeletion(resource),
    strategy(subresource) {
      const known = strategies.get(subresource);
      if (known !== undefined) return known;
      return loadStrategy(resource, subresource, hosts).then((strategy) => {
        strategies.set(subresource, strategy);
        return strategy;
      });
    },
    selectableFields: new Set(Object.keys(selectable)),
    fieldsOf: (object) => fieldsOf(object, selectable),
    mergeType: (apiVersion) => builtinMergeType({ ...groupVersion(apiVersion), kind: resource.kind }),
    timeToLive: storage.resource === "events" ? EVENT_SECONDS : undefined,
  };
}

export function customHandler(
  resource: ServedResource,
  { definition, version, definedAt }: CustomVersion,
  objects: ObjectStore,
  now: () => number,
): ResourceHandler {
  const { storage } = resource;
  const codec = customCodec(resource, version, definedAt);
  const strategies = new Map<string, Strategy>();
  const selectable = selectableFields(definition, resource.version);
  return {
    resource,
    codec,
    presenters: new Presenters(codec, () => customColumns(printerColumns(definition, resource.version)), now),
    cache: objects.cache(storage),
    deletion: { dependents: "background", returnsObject: false },
    strategy(subresource) {
      let strategy = strategies.get(subresource);
      if (strategy === undefined) strategies.set(subresource, (strategy = customStrategy(version, subresource)));
      return strategy;
    },
    selectableFields: new Set(Object.keys(selectable)),
    fieldsOf: (object) => fieldsOf(codec.fromStorage(object), selectable),
    mergeType: (apiVersion) => mergeTypeOf(version, groupVersion(apiVersion)),
    timeToLive: undefined,
    ...(version.scale !== undefined && { scale: version.scale }),
    ...(version.deprecation !== undefined && { deprecation: version.deprecation }),
  };
}

const mergeTypes = new WeakMap<ResourceVersion, MergeType>();

function mergeTypeOf({ type }: ResourceVersion, { group, version: name }: GroupVersion): MergeType | undefined {
  const version = group === type.group ? type.version(name) : undefined;
  if (version === undefined) return undefined;
  let found = mergeTypes.get(version);
  if (found === undefined) {
    const preserveUnknownFields = type.definition.spec.preserveUnknownFields === true;
    const schema = version.schema && readSchema(version.schema);
    mergeTypes.set(version, (found = customMergeType(schema, { preserveUnknownFields })));
  }
  return found;
}

function printerColumns({ spec }: CustomResourceDefinition, name: string): readonly PrinterColumn[] | undefined {
  return spec.versions?.find((version) => version.name === name)?.additionalPrinterColumns;
}

function selectableFields(
  { spec }: CustomResourceDefinition,
  name: string,
): Readonly<Record<string, (object: KubeObject) => string>> {
  const { selectableFields: fields = [] } = spec.versions?.find((version) => version.name === name) ?? {};
  return Object.fromEntries(
    fields.map(({ jsonPath = "" }) => [jsonPath.replace(/^\./, ""), fieldAt(jsonPath.replace(/^\./, ""))]),
  );
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
