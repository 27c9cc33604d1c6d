// The handlers of built-in and custom resources, made on first use.

import { EVALUATION_TIME } from "@celadon/admission";
import type { CustomResourceDefinition, PrinterColumn, ResourceVersion } from "@celadon/crd";
import { type GroupVersion, type KubeObject, parseGroupVersion } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import { readSchema } from "@celadon/kube/schemas";
import { deprecationOf } from "@celadon/kube/validation";
import { builtinMergeType, customMergeType, type MergeType } from "@celadon/merge";
import {
  builtinDeletion,
  customStrategy,
  loadStrategy,
  type PolicyHosts,
  type Strategy,
} from "@celadon/write/strategy";
import { builtinCodec } from "../codec/builtin-codec.ts";
import { convertBuiltin } from "../codec/builtin-conversion.ts";
import { builtinColumns, customColumns } from "../codec/columns.ts";
import { customCodec, webhookCodec } from "../codec/custom-codec.ts";
import { definitionCodec } from "../codec/definition-codec.ts";
import { gatedCodec, gatedMergeType } from "../codec/gated-codec.ts";
import { Presenters } from "../codec/presenter.ts";
import { ConvertedCache } from "../custom/converted-cache.ts";
import type { CustomVersion } from "../custom/definitions.ts";
import type { ServedResource } from "../kinds/resource.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { fieldAt, SELECTABLE_FIELDS } from "./select/selectable-fields.ts";
import type { ResourceHandler } from "./services.ts";

/** Events expire after an hour. */
const EVENT_SECONDS = 3600;

/** Kinds to which gates of the proposals add fields. */
const GATED_KINDS: ReadonlySet<string> = new Set(["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"]);

/** Rules are bounded by their costs. Time is the last resort, and generous: on a busy machine it must not decide what costs would. */
const RULES_TIME = 5 * EVALUATION_TIME;
const withinTime = (): { readonly deadline: number } => ({ deadline: Date.now() + RULES_TIME });

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
  const isGated = GATED_KINDS.has(resource.kind) && Object.values(hosts.gates).includes(true);
  const plain = resource.kind === "CustomResourceDefinition" ? definitionCodec(resource) : builtinCodec(resource);
  const codec = isGated ? gatedCodec(plain, hosts.gates) : plain;
  const deprecation = deprecationOf(resource.apiVersion, resource.kind, resource.minor);
  const strategies = new Map<string, Strategy>();
  const mergeTypes = new Map<string, MergeType>();
  const selectable =
    SELECTABLE_FIELDS[`${resource.apiVersion}/${resource.kind}`] ??
    SELECTABLE_FIELDS[`${storage.apiVersion}/${storage.kind}`] ??
    {};
  return {
    resource,
    codec,
    presenters: new Presenters(codec, () => builtinColumns(resource, storage), now),
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
    mergeType(apiVersion) {
      let type = mergeTypes.get(apiVersion);
      if (type === undefined) {
        type = builtinMergeType({ ...groupVersion(apiVersion), kind: resource.kind });
        if (isGated && type !== undefined) type = gatedMergeType(type);
        // Versions come from clients: only existing ones are kept.
        if (type !== undefined) mergeTypes.set(apiVersion, type);
      }
      return type;
    },
    inVersion: (object, apiVersion) => convertBuiltin(object, { apiVersion, kind: resource.kind }),
    timeToLive: storage.resource === "events" ? EVENT_SECONDS : undefined,
    ...(deprecation !== undefined && { deprecation }),
  };
}

export function customHandler(
  resource: ServedResource,
  { definition, version, definedAt, converter }: CustomVersion,
  objects: ObjectStore,
  now: () => number,
): ResourceHandler {
  const { storage } = resource;
  const base = objects.cache(storage);
  const converted = converter && new ConvertedCache(storage, base, converter, version);
  const codec =
    converter === undefined
      ? customCodec(resource, version, definedAt)
      : webhookCodec(resource, version, (object, to) => converter.convert(object, to));
  const strategies = new Map<string, Strategy>();
  const selectable = selectableFields(definition, resource.version);
  return {
    resource,
    codec,
    presenters: new Presenters(codec, () => customColumns(printerColumns(definition, resource.version)), now),
    cache: converted ?? base,
    deletion: { dependents: "background", returnsObject: false },
    strategy(subresource) {
      let strategy = strategies.get(subresource);
      if (strategy === undefined) {
        strategies.set(subresource, (strategy = customStrategy(version, subresource, withinTime)));
      }
      return strategy;
    },
    selectableFields: new Set(Object.keys(selectable)),
    fieldsOf: (object) => fieldsOf(codec.fromStorage(object), selectable),
    mergeType: (apiVersion) => mergeTypeOf(version, groupVersion(apiVersion), converter !== undefined),
    inVersion: (object, apiVersion) => (converter === undefined ? { ...object, apiVersion } : object),
    timeToLive: undefined,
    ...(converter !== undefined && { convert: (object: KubeObject) => converter.convert(object, version) }),
    ...(converted !== undefined && { retire: () => converted.reset() }),
    ...(version.scale !== undefined && { scale: version.scale }),
    ...(version.deprecation !== undefined && { deprecation: version.deprecation }),
  };
}

const mergeTypes = new WeakMap<ResourceVersion, MergeType>();

/** If a webhook converts, fields that other versions own are checked in this version: field ownership cannot wait for a webhook. */
function mergeTypeOf(
  own: ResourceVersion,
  { group, version: name }: GroupVersion,
  byWebhook: boolean,
): MergeType | undefined {
  const { type } = own;
  const named = group === type.group ? type.version(name) : undefined;
  const version = named !== undefined && byWebhook ? own : named;
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
