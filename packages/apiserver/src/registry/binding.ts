// pods/binding: a scheduler's word on where a pod runs. `bindings` is the same under an older name, which admission sees.

import { conflict, quoteGo, success } from "@celadon/kube";
import { builtinCodec } from "../codec/builtin-codec.ts";
import { readObject } from "../codec/read-object.ts";
import { managerName, optionsObject, writeOptions } from "../codec/write-options.ts";
import { type Draft, draftOf, objectOf } from "../kinds/draft.ts";
import type { ServedResource } from "../kinds/resource.ts";
import { jsonAnswer } from "../wire/answers.ts";
import type { Answer } from "../wire/call.ts";
import { StatusError } from "../wire/status-error.ts";
import { admissionRequest } from "./admission-request.ts";
import type { Exchange } from "./exchange.ts";
import { afterMutation, dedupeOwners, matchNamespace } from "./metadata-rules.ts";
import { refuseAction } from "./refuse-action.ts";
import type { Services } from "./services.ts";
import { applyChange } from "./update.ts";

const BINDING = { group: "", kind: "Binding" };

export async function createBinding(services: Services, exchange: Exchange): Promise<Answer> {
  const binding = await readBinding(services, exchange, exchange.resource);
  const { name = "" } = binding.metadata;
  return bind(services, { ...exchange, name }, binding);
}

export async function bindPod(services: Services, exchange: Exchange): Promise<Answer> {
  const bindings = services.kinds.resource("", "v1", "bindings")!;
  return bind(services, exchange, await readBinding(services, exchange, bindings));
}

async function readBinding(
  services: Services,
  { call, query, notes, namespace, subresource }: Exchange,
  bindings: ServedResource,
): Promise<Draft> {
  const options = writeOptions(query, "CreateOptions");
  const binding = await readObject(call, builtinCodec(bindings), { ...options, warn: (text) => notes.warn(text) });
  matchNamespace(binding, bindings, namespace);
  dedupeOwners(binding, notes, false);
  const name = managerName(options.fieldManager, call.header("user-agent"));
  return services.ownership.update(undefined, binding, { name, resource: bindings, subresource });
}

async function bind(services: Services, exchange: Exchange, binding: Draft): Promise<Answer> {
  const { name, query, notes } = exchange;
  const resource = services.kinds.resource("", "v1", "pods")!;
  const options = writeOptions(query, "CreateOptions");
  const request = admissionRequest(exchange, {
    operation: "CREATE",
    name,
    object: objectOf(binding),
    oldObject: null,
    options: optionsObject("CreateOptions", query),
    dryRun: options.dryRun,
  });
  const mutated = await services.admission.mutate(request, exchange);
  const admitted = afterMutation(mutated, binding, notes);
  const target = (admitted.target ?? {}) as { name?: string };
  await refuseAction(BINDING, admitted, { namespace: exchange.namespace, name });
  await services.admission.validate({ ...request, object: objectOf(admitted) }, exchange);
  await applyChange(
    services,
    services.handler(resource),
    { ...exchange, resource, subresource: "status" },
    {
      options,
      allowCreate: false,
      uid: admitted.metadata.uid,
      isInternal: true,
      next(live) {
        const pod = draftOf(live!);
        const spec = pod.spec as { nodeName?: string };
        const about = { group: "", resource: "pods/binding" };
        if (pod.metadata.deletionTimestamp) {
          throw new StatusError(conflict(about, name, `pod ${name} is being deleted, cannot be assigned to a host`));
        }
        if (spec.nodeName) {
          const text = `pod ${name} is already assigned to node ${quoteGo(spec.nodeName)}`;
          throw new StatusError(conflict(about, name, text));
        }
        const { annotations = {}, labels = {} } = admitted.metadata;
        pod.spec = { ...spec, nodeName: target.name };
        pod.metadata.annotations = { ...pod.metadata.annotations, ...annotations };
        if (Object.keys(pod.metadata.annotations).length === 0) delete pod.metadata.annotations;
        if (Object.keys(labels).length > 0) pod.metadata.labels = { ...pod.metadata.labels, ...labels };
        pod.status = { ...(pod.status as object), conditions: scheduled(pod, services.now()) };
        return pod;
      },
    },
  );
  return jsonAnswer(201, { ...success(), code: 201 });
}

function scheduled({ status }: Draft, now: number): unknown[] {
  const { conditions = [] } = (status ?? {}) as { conditions?: { type?: string }[] };
  const others = conditions.filter(({ type }) => type !== "PodScheduled");
  const lastTransitionTime = `${new Date(now).toISOString().slice(0, 19)}Z`;
  return [...others, { type: "PodScheduled", status: "True", lastProbeTime: null, lastTransitionTime }];
}
