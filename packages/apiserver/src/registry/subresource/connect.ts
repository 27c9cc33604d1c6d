// Subresources that lead to a node: exec, attach, port-forward, logs, proxies. Admission runs, and then there is no
// node to connect to.

import type { KubeObject } from "@celadon/kube";
import { badRequest, internalError, notFound } from "@celadon/kube/status";
import { keyOf } from "../../kinds/resource.ts";
import type { Answer } from "../../wire/call.ts";
import type { RequestInfo } from "../../wire/request-info.ts";
import { StatusError } from "../../wire/status-error.ts";
import type { Exchange } from "../exchange.ts";
import type { Services } from "../services.ts";
import { accepted, writePath } from "../write.ts";

export async function connect(services: Services, exchange: Exchange): Promise<Answer> {
  const { resource, subresource, namespace, name } = exchange;
  const handler = services.handler(resource);
  const path = writePath(services, exchange, null, false);
  const object = optionsObject(exchange);
  accepted(await path.pass({ operation: "CONNECT", name, object, oldObject: null }));
  await services.objects.current(handler.cache);
  if (handler.cache.get(keyOf(resource.storage, namespace, name)) === undefined) {
    throw new StatusError(notFound(resource, name));
  }
  if (resource.resource === "pods") throw new StatusError(badRequest(`pod ${name} does not have a host assigned`));
  throw new StatusError(internalError(`${subresource} of ${resource.resource} needs a node, and this server has none`));
}

/** `pods/log` of a pod that runs nowhere. */
export async function podLog(services: Services, exchange: Exchange): Promise<Answer> {
  const { resource, namespace, name } = exchange;
  const handler = services.handler(resource);
  await services.objects.current(handler.cache);
  if (handler.cache.get(keyOf(resource.storage, namespace, name)) === undefined) {
    throw new StatusError(notFound(resource, name));
  }
  return { code: 204, type: "text/plain", body: "" };
}

const FLAGS = ["stdin", "stdout", "stderr", "tty"];

/** The query as PodExecOptions and its kin hold it. */
function optionsObject({ query, resource, subresource, permitted }: Exchange): KubeObject {
  const kind = resource.subresources.get(subresource)!.kind;
  const flags = FLAGS.filter((flag) => isTrue(query.get(flag)));
  const command = query.getAll("command");
  const container = query.get("container") ?? "";
  const path = restOfPath(permitted.info);
  const ports = query.getAll("ports").flatMap((text) => text.split(",").map(Number));
  return {
    kind: kind.kind,
    apiVersion: kind.version,
    ...Object.fromEntries(flags.map((flag) => [flag, true])),
    ...(container !== "" && { container }),
    ...(command.length > 0 && { command }),
    ...(ports.length > 0 && { ports }),
    ...(subresource === "proxy" && path !== "" && { path }),
  };
}

/** Behind the subresource. */
function restOfPath({ parts, path }: RequestInfo): string {
  const rest = parts.slice(3).join("/");
  const text = rest === "" || rest.startsWith("/") ? rest : `/${rest}`;
  return path.endsWith("/") && !text.endsWith("/") ? `${text}/` : text;
}

const isTrue = (value: string | null): boolean => value === "true" || value === "1" || value === "";
