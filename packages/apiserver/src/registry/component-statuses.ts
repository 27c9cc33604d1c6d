// ComponentStatuses, which old tools use to check the health of a cluster. The store is the only component.

import type { KubeObject } from "@celadon/kube";
import { notFound } from "@celadon/kube/status";
import { encodeObject } from "../codec/encode.ts";
import { negotiate } from "../codec/forms.ts";
import type { Answer } from "../wire/call.ts";
import { StatusError } from "../wire/status-error.ts";
import type { Exchange } from "./exchange.ts";
import { contentOf } from "./respond.ts";
import type { Services } from "./services.ts";

const STORE = "etcd-0";

async function statusOfStore({ objects }: Services): Promise<Record<string, unknown>> {
  const condition = await objects.store.revision().then(
    () => ({ type: "Healthy", status: "True", message: "ok" }),
    (error: unknown) => ({ type: "Healthy", status: "False", message: String(error) }),
  );
  return { metadata: { name: STORE }, conditions: [condition] };
}

export async function listComponentStatuses(services: Services, { call, query }: Exchange): Promise<Answer> {
  const output = negotiate(call, query, false, true);
  const items = [await statusOfStore(services)];
  const list = { kind: "ComponentStatusList", apiVersion: "v1", metadata: {}, items };
  return contentOf(200, encodeObject(list as unknown as KubeObject), output.type);
}

export async function getComponentStatus(
  services: Services,
  { call, query, resource, name }: Exchange,
): Promise<Answer> {
  const output = negotiate(call, query, false, true);
  if (name !== STORE) throw new StatusError(notFound({ ...resource, resource: "componentstatus" }, name));
  const status = { kind: "ComponentStatus", apiVersion: "v1", ...(await statusOfStore(services)) };
  return contentOf(200, encodeObject(status as unknown as KubeObject), output.type);
}
