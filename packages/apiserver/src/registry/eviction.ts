// pods/eviction: a deletion that disruption budgets may refuse.

import {
  badRequest,
  failure,
  Invalid,
  type KubeObject,
  labelsOf,
  namespaceOf,
  notFound,
  success,
  toLabelSelector,
} from "@celadon/kube";
import { builtinCodec } from "../codec/builtin-codec.ts";
import { readObject } from "../codec/read-object.ts";
import { deleteOptions, optionsObject, writeOptions } from "../codec/write-options.ts";
import { objectOf } from "../kinds/draft.ts";
import { keyOf, type ServedResource } from "../kinds/resource.ts";
import { jsonAnswer } from "../wire/answers.ts";
import type { Answer } from "../wire/call.ts";
import { StatusError } from "../wire/status-error.ts";
import { admissionRequest } from "./admission-request.ts";
import { removeObject } from "./delete.ts";
import type { Exchange } from "./exchange.ts";
import { afterMutation, dedupeOwners, matchNamespace } from "./metadata-rules.ts";
import type { Services } from "./services.ts";

export async function evict(services: Services, exchange: Exchange): Promise<Answer> {
  const { call, query, notes, resource, name, namespace } = exchange;
  const options = writeOptions(query, "CreateOptions");
  const eviction = await readObject(call, builtinCodec(evictions(resource)), {
    ...options,
    warn: (text) => notes.warn(text),
  });
  matchNamespace(eviction, resource, namespace);
  dedupeOwners(eviction, notes, false);
  const request = admissionRequest(exchange, {
    operation: "CREATE",
    name,
    object: objectOf(eviction),
    oldObject: null,
    options: optionsObject("CreateOptions", query),
    dryRun: options.dryRun,
  });
  const mutated = await services.admission.mutate(request, exchange);
  const admitted = afterMutation(mutated, eviction, notes);
  if ((admitted.metadata.name ?? "") !== name) {
    throw new StatusError(badRequest("name in URL does not match name in Eviction object"));
  }
  const handler = services.handler(resource);
  await services.objects.current(handler.cache);
  const pod = handler.cache.get(keyOf(resource.storage, namespace, name));
  if (pod === undefined) throw new StatusError(notFound(resource, name));
  await services.admission.validate({ ...request, object: objectOf(admitted) }, exchange);
  await checkBudgets(services, pod.object);
  const wanted = deleteOptions({
    ...((admitted.deleteOptions as object) ?? {}),
    ...(options.dryRun && { dryRun: ["All"] }),
  });
  await removeObject(services, handler, { ...exchange, subresource: "" }, name, wanted);
  return jsonAnswer(201, { ...success(), code: 201 });
}

/** Pods that do not run disrupt nothing. */
const HARMLESS = ["Succeeded", "Failed", "Pending"];

async function checkBudgets(services: Services, pod: KubeObject): Promise<void> {
  const { phase = "" } = (pod.status ?? {}) as { phase?: string };
  if (HARMLESS.includes(phase) || pod.metadata?.deletionTimestamp) return;
  const budgets = services.kinds.resource("policy", "v1", "poddisruptionbudgets")!;
  const { cache } = services.handler(budgets);
  await cache.ready();
  const [from, to] = cache.range(`${budgets.storage.prefix}${namespaceOf(pod)}/`);
  const matching = cache
    .all()
    .slice(from, to)
    .filter(({ object }) => selects(object, pod));
  if (matching.length > 1) {
    throw new StatusError(
      failure(
        "InternalError",
        "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
      ),
    );
  }
  const [budget] = matching;
  if (budget === undefined) return;
  const {
    disruptionsAllowed = 0,
    desiredHealthy = 0,
    currentHealthy = 0,
  } = (budget.object.status ?? {}) as {
    disruptionsAllowed?: number;
    desiredHealthy?: number;
    currentHealthy?: number;
  };
  if (disruptionsAllowed > 0) return;
  const message = `The disruption budget ${budget.name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  throw new StatusError(
    failure("TooManyRequests", "Cannot evict pod as it would violate the pod's disruption budget.", {
      causes: [{ reason: "DisruptionBudget", message }],
    }),
  );
}

function selects(budget: KubeObject, pod: KubeObject): boolean {
  const selector = toLabelSelector((budget.spec as { selector?: never } | undefined)?.selector);
  return !(selector instanceof Invalid) && selector.matches(labelsOf(pod));
}

function evictions(pods: ServedResource): ServedResource {
  const storage = { ...pods.storage, group: "policy", apiVersion: "policy/v1", kind: "Eviction" };
  return { ...pods, group: "policy", apiVersion: "policy/v1", kind: "Eviction", storage };
}
