// Subresources that lead to a node: exec, attach, port-forward, proxies. Admission runs, and then there is no
// node to connect to.

import type { KubeObject } from "@celadon/kube";
import { badRequest, internalError, notFound } from "@celadon/kube/status";
import type { Answer } from "../../wire/call.ts";
import type { RequestInfo } from "../../wire/request-info.ts";
import { StatusError } from "../../wire/status-error.ts";
import type { Exchange } from "../exchange.ts";
import type { Services } from "../services.ts";
import { accepted, writePath } from "../write.ts";
import { checkContainer, checkService, find, nodeOf, targetOf } from "./locations.ts";

export async function connect(services: Services, exchange: Exchange): Promise<Answer> {
  const { resource, subresource, name } = exchange;
  const path = writePath(services, exchange, null, false);
  const object = optionsObject(exchange);
  accepted(await path.pass({ operation: "CONNECT", name, object, oldObject: null }));
  if (resource.resource === "services") await checkService(services, exchange);
  else if (resource.resource === "nodes") await existing(services, exchange, targetOf(name, "node").name);
  else if (subresource === "proxy") await checkProxiedPod(services, exchange);
  else await checkPod(services, exchange);
  const text = `${subresource} of ${resource.resource} leads to a node, and this server does not connect to nodes`;
  throw new StatusError(internalError(text));
}

async function existing(services: Services, { resource, namespace }: Exchange, name: string): Promise<KubeObject> {
  const object = await find(services, resource.resource, namespace, name);
  if (object === undefined) throw new StatusError(notFound(resource, name));
  return object;
}

async function checkProxiedPod(services: Services, exchange: Exchange): Promise<void> {
  const { status } = await existing(services, exchange, targetOf(exchange.name, "pod").name);
  const { podIP = "" } = (status ?? {}) as { podIP?: string };
  if (podIP === "") throw new StatusError(badRequest("address not allowed"));
}

async function checkPod(services: Services, exchange: Exchange): Promise<void> {
  const { name, subresource, query } = exchange;
  const pod = await existing(services, exchange, name);
  if (subresource !== "portforward") checkContainer(pod, query.get("container") ?? "");
  if ((await nodeOf(services, pod)) === undefined) {
    throw new StatusError(badRequest(`pod ${name} does not have a host assigned`));
  }
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

/** A flag of a query: everything but `false` and `0` sets it. */
const isTrue = (value: string | null): boolean => value !== null && value !== "0" && value.toLowerCase() !== "false";
