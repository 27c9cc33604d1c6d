// pods/eviction: a deletion that disruption budgets may refuse.

import type { KubeObject } from "@celadon/kube";
import { badRequest, notFound, success } from "@celadon/kube/status";
import { type Draft, draftOf, timestamp } from "@celadon/write";
import { builtinCodec } from "../../codec/builtin-codec.ts";
import {
  type DeleteOptions,
  deleteOptions,
  optionsObject,
  type WriteOptions,
  writeOptions,
} from "../../codec/write-options.ts";
import { keyOf, type ServedResource } from "../../kinds/resource.ts";
import { jsonAnswer } from "../../wire/answers.ts";
import type { Answer } from "../../wire/call.ts";
import { StatusError } from "../../wire/status-error.ts";
import { checkPreconditions, removeObject } from "../delete.ts";
import type { Exchange } from "../exchange.ts";
import { readSent } from "../read-sent.ts";
import type { ResourceHandler, Services } from "../services.ts";
import { applyChange } from "../update.ts";
import { accepted, writePath } from "../write.ts";
import { stillProcessed, takeDisruption } from "./disruption-budgets.ts";

export async function evict(services: Services, exchange: Exchange): Promise<Answer> {
  const { query, resource, name } = exchange;
  const options = writeOptions(query, "CreateOptions");
  const path = writePath(services, exchange, optionsObject("CreateOptions", query), options.dryRun);
  const acted = await path.act(
    { sent: "action", decode: () => readSent(exchange, builtinCodec(evictions(resource)), options) },
    (eviction) => {
      if ((eviction.metadata.name ?? "") === name) return eviction;
      throw new StatusError(badRequest("name in URL does not match name in Eviction object"));
    },
  );
  const admitted = accepted(acted);
  const wanted = deleteOptions({
    ...((admitted.deleteOptions as object) ?? {}),
    ...(options.dryRun && { dryRun: ["All"] }),
  });
  await removeEvicted(services, exchange, wanted, { ...options, dryRun: wanted.dryRun });
  return jsonAnswer(201, { ...success(), code: 201 });
}

/** Pods that do not run disrupt nothing. */
const FINISHED = ["Succeeded", "Failed"];
/** The number of tries of an eviction after another request changed the pod. */
const ATTEMPTS = 20;

async function removeEvicted(
  services: Services,
  exchange: Exchange,
  wanted: DeleteOptions,
  options: WriteOptions,
): Promise<void> {
  const { resource, namespace, name } = exchange;
  const handler = services.handler(resource);
  for (let attempt = 1; ; attempt++) {
    await services.objects.current(handler.cache);
    const pod = handler.cache.get(keyOf(resource.storage, namespace, name));
    if (pod === undefined) throw new StatusError(notFound(resource, name));
    const { phase = "" } = (pod.object.status ?? {}) as { phase?: string };
    const isGoing = FINISHED.includes(phase) || Boolean(pod.object.metadata?.deletionTimestamp);
    const isHarmless = isGoing || phase === "Pending";
    const budget = isHarmless ? undefined : await takeDisruption(services, exchange, pod.object, options);
    // A pod that was not counted must be unchanged when it is removed.
    const mustBeSame = (isHarmless && !isGoing) || budget !== undefined;
    const preconditionVersion = wanted.preconditionVersion ?? (mustBeSame ? String(pod.revision) : undefined);
    try {
      return await removeDisrupted(services, handler, exchange, { ...wanted, preconditionVersion }, options);
    } catch (error) {
      const isConflict = error instanceof StatusError && error.status.reason === "Conflict";
      if (!isConflict || wanted.preconditionVersion !== undefined) throw error;
      if (budget !== undefined) throw new StatusError(stillProcessed(budget));
      if (!isHarmless || attempt === ATTEMPTS) throw error;
    }
  }
}

/** The pod says why it goes before it goes. */
async function removeDisrupted(
  services: Services,
  handler: ResourceHandler,
  exchange: Exchange,
  wanted: DeleteOptions,
  options: WriteOptions,
): Promise<void> {
  const place = { ...exchange, subresource: "" };
  let expected = wanted.preconditionVersion;
  if (!options.dryRun) {
    const next = (live: KubeObject | undefined): Draft => {
      checkPreconditions(handler, live!, wanted);
      return draftOf(withDisruption(live!, timestamp(services.now())));
    };
    const change = { options, allowCreate: false, uid: undefined, isInternal: true, next };
    const { outcome } = await applyChange(services, handler, place, change);
    if (expected !== undefined && "revision" in outcome) expected = String(outcome.revision);
  }
  await removeObject(services, handler, place, exchange.name, { ...wanted, preconditionVersion: expected });
}

function withDisruption(pod: KubeObject, now: string): KubeObject {
  const status = (pod.status ?? {}) as { conditions?: readonly { type?: string; status?: string }[] };
  const { conditions = [] } = status;
  const before = conditions.find(({ type }) => type === "DisruptionTarget");
  const condition = {
    lastProbeTime: null,
    lastTransitionTime: now,
    ...(before?.status === "True" && before),
    type: "DisruptionTarget",
    status: "True",
    reason: "EvictionByEvictionAPI",
    message: "Eviction API: evicting",
  };
  const others = conditions.map((other) => (other === before ? condition : other));
  return { ...pod, status: { ...status, conditions: before === undefined ? [...others, condition] : others } };
}

function evictions(pods: ServedResource): ServedResource {
  const storage = { ...pods.storage, group: "policy", apiVersion: "policy/v1", kind: "Eviction" };
  return { ...pods, group: "policy", apiVersion: "policy/v1", kind: "Eviction", storage };
}
