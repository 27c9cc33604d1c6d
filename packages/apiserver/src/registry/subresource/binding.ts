// pods/binding: a scheduler's word on where a pod runs. `bindings` is the same under an older name, which admission sees.

import { quoteGo } from "@celadon/base";
import { conflict, success } from "@celadon/kube/status";
import { type Draft, draftOf, refuseAction } from "@celadon/write";
import { builtinCodec } from "../../codec/builtin-codec.ts";
import { managerName, optionsObject, writeOptions } from "../../codec/write-options.ts";
import type { ServedResource } from "../../kinds/resource.ts";
import { jsonAnswer } from "../../wire/answers.ts";
import type { Answer } from "../../wire/call.ts";
import { StatusError } from "../../wire/status-error.ts";
import type { Exchange } from "../exchange.ts";
import { readSent } from "../read-sent.ts";
import type { Services } from "../services.ts";
import { applyChange } from "../update.ts";
import { accepted, writePath } from "../write.ts";

const BINDING = { group: "", kind: "Binding" };

export async function createBinding(services: Services, exchange: Exchange): Promise<Answer> {
  return bind(services, exchange, exchange.resource);
}

export async function bindPod(services: Services, exchange: Exchange): Promise<Answer> {
  return bind(services, exchange, services.kinds.resource("", "v1", "bindings")!);
}

async function bind(services: Services, exchange: Exchange, bindings: ServedResource): Promise<Answer> {
  const { call, query, namespace, subresource } = exchange;
  const options = writeOptions(query, "CreateOptions");
  const managing = {
    name: managerName(options.fieldManager, call.header("user-agent")),
    resource: bindings,
    subresource,
  };
  let { name } = exchange;
  const path = writePath(services, exchange, optionsObject("CreateOptions", query), options.dryRun);
  const acted = await path.act(
    {
      sent: "action",
      decode: () => readSent(exchange, builtinCodec(bindings), options),
      own(binding) {
        name ||= binding.metadata.name ?? "";
        return services.ownership.update(undefined, binding, managing);
      },
    },
    async (binding) => {
      await refuseAction(BINDING, binding, { namespace, name });
      return binding;
    },
  );
  const admitted = accepted(acted);
  const target = (admitted.target ?? {}) as { name?: string };
  const resource = services.kinds.resource("", "v1", "pods")!;
  await applyChange(
    services,
    services.handler(resource),
    { ...exchange, name, resource, subresource: "status" },
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
