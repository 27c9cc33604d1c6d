// The scale subresource: an object is read, written and patched as an autoscaling/v1 Scale.

import { gvkOf, type KubeObject } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import { failure, internalError } from "@celadon/kube/status";
import { fieldElement, parentManagedFields, type ReplicasPath, scaleManagedFields } from "@celadon/merge";
import { type Draft, refuseScale, scaledBy, scaleOf } from "@celadon/write";
import { builtinCodec } from "../../codec/builtin-codec.ts";
import type { Codec } from "../../codec/codec.ts";
import { encodeObject } from "../../codec/encode.ts";
import { negotiate } from "../../codec/forms.ts";
import { managerName, writeOptions } from "../../codec/write-options.ts";
import type { Answer } from "../../wire/call.ts";
import { StatusError } from "../../wire/status-error.ts";
import type { Exchange } from "../exchange.ts";
import { requireObject } from "../get.ts";
import { makePatch, patchType } from "../patch.ts";
import { readSent } from "../read-sent.ts";
import { contentOf } from "../respond.ts";
import type { FieldOwnership, ResourceHandler, Services } from "../services.ts";
import { applyChange } from "../update.ts";

export async function getScale(services: Services, exchange: Exchange): Promise<Answer> {
  const handler = services.handler(exchange.resource);
  const output = negotiate(exchange.call, exchange.query);
  await services.objects.current(handler.cache);
  const object = handler.codec.fromStorage(requireObject(handler, exchange).object);
  return contentOf(200, encodeObject(scaleOf(object, handler.scale)), output.type);
}

export async function putScale(services: Services, exchange: Exchange): Promise<Answer> {
  const { call, query } = exchange;
  const options = writeOptions(query, "UpdateOptions");
  const sent = await readSent(exchange, SCALES, options);
  const name = managerName(options.fieldManager, call.header("user-agent"));
  const manager = { name, resource: SCALES.resource, subresource: exchange.subresource };
  return changeScale(
    services,
    exchange,
    options,
    // A Scale of a custom resource has no owners: its fields cannot be converted to the version of the resource.
    (scale) => (exchange.resource.storage.custom ? sent : services.ownership.update(scale, sent, manager)),
    sent.metadata.uid,
  );
}

export async function patchScale(services: Services, exchange: Exchange): Promise<Answer> {
  const { call, resource } = exchange;
  patchType(call, resource);
  const owning = resource.storage.custom ? { ownership: NO_OWNERSHIP } : services;
  const { options, next } = await makePatch(owning, { ...exchange, resource: SCALES.resource }, SCALES);
  return changeScale(services, exchange, options, next, undefined);
}

/** The owners of a custom resource's Scale: kube-apiserver looks for their version in the definition, and does not find it. */
const NO_OWNERSHIP: FieldOwnership = {
  update: (_, draft) => draft,
  apply() {
    const problem = "request to convert CR to an invalid group/version: autoscaling/v1";
    const live = "failed to convert live object (/; autoscaling/v1, Kind=Scale) to proper version";
    throw new StatusError(failure(undefined, `failed to create manager for existing fields: ${live}: ${problem}`));
  },
};

async function changeScale(
  services: Services,
  exchange: Exchange,
  options: ReturnType<typeof writeOptions>,
  scaleFrom: (scale: KubeObject) => Draft,
  uid: string | undefined,
): Promise<Answer> {
  const { call, query, resource } = exchange;
  const handler = services.handler(resource);
  const output = negotiate(call, query);
  const pathOf = replicasPathOf(handler);
  const { outcome } = await applyChange(services, handler, exchange, {
    options,
    allowCreate: false,
    uid,
    next(live) {
      const managedFields = checked(scaleManagedFields(live!.metadata?.managedFields, pathOf));
      const before = scaleOf(live!, handler.scale);
      return scaleFrom({ ...before, metadata: { ...before.metadata, ...(managedFields && { managedFields }) } });
    },
    form: {
      present: (object) => scaleOf(object, handler.scale),
      async merge(live, scale) {
        if (handler.scale === undefined) await refuseScale(scale, resource, live);
        const draft = scaled(handler, live, scale);
        const owned = [live.metadata?.managedFields, scale.metadata.managedFields] as const;
        const managers = checked(parentManagedFields(...owned, resource.apiVersion, pathOf));
        if (managers === undefined) delete draft.metadata.managedFields;
        else draft.metadata.managedFields = managers as never;
        return draft;
      },
    },
  });
  const object = "key" in outcome ? handler.codec.fromStorage(outcome.object) : outcome.object;
  return contentOf(200, encodeObject(scaleOf(object, handler.scale)), output.type);
}

/** The paths of the replicas in the versions of a kind; all versions of a custom resource are assumed to have them in one place. */
function replicasPathOf({ resource, scale }: ResourceHandler): ReplicasPath {
  const steps =
    scale === undefined ? ["spec", "replicas"] : (scale.specReplicasPath ?? "").replace(/^\./, "").split(".");
  const path = steps.map(fieldElement);
  return (apiVersion) => (gvkOf({ apiVersion, kind: "" }).group === resource.group ? path : undefined);
}

function checked<T>(value: T | Invalid): T {
  if (value instanceof Invalid) throw new StatusError(internalError(value.message));
  return value;
}

/**
 * The object with the replicas of a Scale. Custom resources are always replaced as stored, but a Scale may be for any of their versions.
 */
function scaled(handler: ResourceHandler, live: KubeObject, scale: Draft): Draft {
  const draft = scaledBy(scale, live, handler.scale);
  const { resourceVersion = "" } = scale.metadata;
  if (resourceVersion !== "") draft.metadata.resourceVersion = resourceVersion;
  else if (handler.scale === undefined) delete draft.metadata.resourceVersion;
  return draft;
}

/** Scales are never stored themselves. */
const SCALES: Codec = builtinCodec({
  group: "autoscaling",
  version: "v1",
  apiVersion: "autoscaling/v1",
  resource: "scales",
  singular: "scale",
  kind: "Scale",
  listKind: "ScaleList",
  namespaced: true,
  verbs: [],
  shortNames: [],
  categories: [],
  subresources: new Map(),
  storage: {
    group: "autoscaling",
    version: "v1",
    apiVersion: "autoscaling/v1",
    resource: "scales",
    kind: "Scale",
    namespaced: true,
    prefix: "",
    custom: false,
  },
});
