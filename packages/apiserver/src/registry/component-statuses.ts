// ComponentStatuses, which old tools use to check the health of a cluster. The store is the only component.

import type { KubeObject } from "@celadon/kube";
import { notFound } from "@celadon/kube/status";
import { builtinColumns } from "../codec/columns.ts";
import { encodeObject } from "../codec/encode.ts";
import { negotiate } from "../codec/forms.ts";
import { tableOf } from "../codec/table.ts";
import type { Answer, Sent } from "../wire/call.ts";
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
  const items = [await statusOfStore(services)];
  const list = { kind: "ComponentStatusList", apiVersion: "v1", metadata: {}, items };
  return answerOf(services, call, query, items, list);
}

export async function getComponentStatus(
  services: Services,
  { call, query, resource, name }: Exchange,
): Promise<Answer> {
  if (name !== STORE) throw new StatusError(notFound({ ...resource, resource: "componentstatus" }, name));
  const status = { kind: "ComponentStatus", apiVersion: "v1", ...(await statusOfStore(services)) };
  return answerOf(services, call, query, [status], status);
}

const KIND = { apiVersion: "v1", kind: "ComponentStatus" };

/** The objects in the requested form. */
function answerOf(
  services: Services,
  call: Sent,
  query: URLSearchParams,
  items: readonly object[],
  whole: object,
): Answer {
  const { form, type } = negotiate(call, query);
  const objects = items.map((item) => ({ ...KIND, ...item }) as KubeObject);
  const shown =
    form.form === "table"
      ? tableOf(objects, builtinColumns(KIND, KIND), { ...form, withColumns: true }, {}, services.now())
      : whole;
  return contentOf(200, encodeObject(shown as KubeObject), type);
}
