// Requests that lead to a node, on a server that connects to none; recorded from kube-apiserver 1.36.4.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { LocalClient } from "../../client/local-client.ts";
import { testServer } from "../../server.testing.ts";
import type { ApiServer } from "../../server.ts";

let server: ApiServer;
let admin: LocalClient;

const container = (name: string): object => ({ name, image: "i" });
const PODS = "/api/v1/namespaces/default/pods";

beforeAll(async () => {
  ({ server, admin } = await testServer());
  const create = (path: string, body: object) => admin.call("POST", path, { body });
  const pod = (name: string, spec: object): object => ({ apiVersion: "v1", kind: "Pod", metadata: { name }, spec });
  await create(PODS, pod("waiting", { containers: [container("c")] }));
  await create(PODS, pod("lost", { nodeName: "nowhere", containers: [container("c")] }));
  const several = {
    nodeName: "nowhere",
    initContainers: [container("e")],
    containers: [container("c"), container("d")],
  };
  await create(PODS, pod("several", several));
  const ports = [{ name: "80", port: 80 }];
  const service = { apiVersion: "v1", kind: "Service", metadata: { name: "s" }, spec: { ports } };
  await create("/api/v1/namespaces/default/services", service);
});
afterAll(() => server.close());

const NOWHERE = 'pods "nowhere" not found';
const CHOOSE = "a container name must be specified for pod several, choose one of: [e c d]";
const invalid = (name: string, why: string): string => `PodLogOptions "${name}" is invalid: ${why}`;

// biome-ignore format: one request per line
test.each<[string, number, string | undefined]>([
  ["pods/waiting/log",                                  204, undefined],
  ["pods/waiting/log?container=x",                      400, "container x is not valid for pod waiting"],
  ["pods/lost/log",                                     404, NOWHERE],
  ["pods/lost/log?follow=xyz",                          404, NOWHERE],
  ["pods/several/log",                                  400, CHOOSE],
  ["pods/several/log?container=e",                      404, NOWHERE],
  ["pods/none/log",                                     404, 'pods "none" not found'],
  ["pods/none/log?limitBytes=0",                        422, invalid("none", "limitBytes: Invalid value: 0: must be greater than 0")],
  ["pods/waiting/log?tailLines=-1",                     422, invalid("waiting", "tailLines: Invalid value: -1: must be greater than or equal to 0")],
  ["pods/waiting/log?sinceSeconds=0&limitBytes=0",      422, invalid("waiting", "[limitBytes: Invalid value: 0: must be greater than 0, sinceSeconds: Invalid value: 0: must be greater than 0]")],
  ["pods/waiting/log?sinceSeconds=5&sinceTime=2020-01-01T00:00:00Z", 422, invalid("waiting", "[]: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified")],
  ["pods/waiting/log?stream=All",                       422, invalid("waiting", "stream: Forbidden: may not be specified")],
  ["pods/waiting/log?tailLines=abc",                    400, 'strconv.ParseInt: parsing "abc": invalid syntax'],
  ["pods/waiting/log?tailLines=",                       400, 'strconv.ParseInt: parsing "": invalid syntax'],
  ["pods/waiting/log?tailLines=99999999999999999999",   400, 'strconv.ParseInt: parsing "99999999999999999999": value out of range'],
  ["pods/waiting/log?sinceTime=abc",                    400, 'parsing time "abc" as "2006-01-02T15:04:05Z07:00": cannot parse "abc" as "2006"'],
  ["pods/waiting/exec?command=ls",                      400, "pod waiting does not have a host assigned"],
  ["pods/waiting/portforward",                          400, "pod waiting does not have a host assigned"],
  ["pods/several/attach",                               400, CHOOSE],
  ["pods/several/portforward",                          404, NOWHERE],
  ["pods/lost/exec?command=ls",                         404, NOWHERE],
  ["pods/none/exec?command=ls",                         404, 'pods "none" not found'],
  ["pods/a:b:c/exec",                                   404, 'pods "a:b:c" not found'],
  ["pods/waiting/proxy",                                400, "address not allowed"],
  ["pods/https:waiting:80/proxy/x",                     400, "address not allowed"],
  ["pods/none:80/proxy",                                404, 'pods "none" not found'],
  ["pods/a:b:c/proxy",                                  400, 'invalid pod request "a:b:c"'],
  ["pods/:80/proxy",                                    400, 'invalid pod request ":80"'],
  ["services/none/proxy",                               404, 'services "none" not found'],
  ["services/s/proxy",                                  404, 'services "s" not found'],
  ["services/s:80/proxy",                               404, 'services "s" not found'],
  ["services/s:81/proxy",                               503, 'no service port 81 found for service "s"'],
  ["services/bad:s:80/proxy",                           400, 'invalid service request "bad:s:80"'],
])("%s", async (path, code, message) => {
  const answer = await admin.call("GET", `/api/v1/namespaces/default/${path}`);
  expect([answer.code, code === 204 ? undefined : answer.json().message]).toEqual([code, message]);
});

test.each([
  ["none:10250", 404, 'nodes "none" not found'],
  ["a:b:c", 400, 'invalid node request "a:b:c"'],
])("a proxy of node %s", async (name, code, message) => {
  const answer = await admin.call("GET", `/api/v1/nodes/${name}/proxy`);
  expect([answer.code, answer.json().message]).toEqual([code, message]);
});

test("a service whose endpoints are none, or have other ports, is not available", async () => {
  const proxied = async (name: string): Promise<unknown> =>
    (await admin.call("GET", `/api/v1/namespaces/default/services/${name}/proxy`)).json().message;
  const endpoints = { apiVersion: "v1", kind: "Endpoints", metadata: { name: "s" } };
  await admin.call("POST", "/api/v1/namespaces/default/endpoints", { body: endpoints });
  expect(await proxied("s:80")).toBe('no endpoints available for service "s"');
  const subsets = [{ addresses: [{ ip: "192.0.2.1" }], ports: [{ name: "80", port: 80 }] }];
  await admin.call("PUT", "/api/v1/namespaces/default/endpoints/s", { body: { ...endpoints, subsets } });
  expect(await proxied("s:other")).toBe('no endpoints available for service "s"');
  expect(await proxied("s:80")).toContain("does not connect to nodes");
});

test("an eviction in its old version is accepted", async () => {
  const metadata = { name: "lost", namespace: "default" };
  const body = { apiVersion: "policy/v1beta1", kind: "Eviction", metadata };
  expect((await admin.call("POST", `${PODS}/lost/eviction`, { body })).code).toBe(201);
});

test("component statuses are shown as a table", async () => {
  const headers = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
  const { json } = await admin.call("GET", "/api/v1/componentstatuses", { headers });
  const { columnDefinitions, rows } = json();
  expect(columnDefinitions.map(({ name }: { name: string }) => name)).toEqual(["Name", "Status", "Message", "Error"]);
  expect(rows[0].cells).toEqual(["etcd-0", "Healthy", "ok", ""]);
});
