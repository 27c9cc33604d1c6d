// A chain of authorizers with a webhook on the loopback address: who is asked when, and what a webhook that fails means.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Authorizer } from "@celadon/admission";
import { acceptAuthorization, type CompiledAuthorization } from "@celadon/kube-cel/access";
import { openMemory } from "@celadon/storage/memory";
import { afterAll, beforeEach, expect, test } from "vitest";
import { LocalClient } from "../client/local-client.ts";
import { launch } from "../launch.ts";
import { ConfiguredChain } from "./configured-chain.ts";

type Spec = Readonly<Record<string, unknown>>;

const reviews: { readonly apiVersion: string; readonly spec: Spec }[] = [];
let status: unknown = { allowed: true };
let resets = 0;
let answer: ((body: string) => string) | undefined;
const hook = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => (body += chunk));
  request.on("end", () => {
    const review = JSON.parse(body);
    reviews.push(review);
    if (status === "hang") return;
    if (resets > 0) {
      resets--;
      request.socket.destroy();
      return;
    }
    response.writeHead(status === "broken" ? 500 : 200, { "content-type": "application/json" });
    response.end(answer === undefined ? JSON.stringify({ ...review, status }) : answer(body));
  });
});
await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
const directory = mkdtempSync(join(tmpdir(), "celadon-chain-"));
const kubeconfig = join(directory, "hook.kubeconfig");
writeFileSync(
  kubeconfig,
  `apiVersion: v1
kind: Config
clusters: [{name: hook, cluster: {server: "http://127.0.0.1:${(hook.address() as AddressInfo).port}/authorize"}}]
users: [{name: server, user: {token: secret}}]
contexts: [{name: hook, context: {cluster: hook, user: server}}]
current-context: hook
`,
);
afterAll(() => {
  hook.closeAllConnections();
  hook.close();
  rmSync(directory, { recursive: true });
});

const webhook = (more: Spec = {}): Spec => ({
  type: "Webhook",
  name: "hook",
  webhook: {
    timeout: "500ms",
    subjectAccessReviewVersion: "v1",
    matchConditionSubjectAccessReviewVersion: "v1",
    failurePolicy: "Deny",
    connectionInfo: { type: "KubeConfigFile", kubeConfigFile: kubeconfig },
    matchConditions: [
      { expression: "has(request.resourceAttributes)" },
      { expression: "request.resourceAttributes.namespace.startsWith('tenant')" },
    ],
    ...more,
  },
});
const RBAC = { type: "RBAC", name: "rbac" };

const compiled = (authorizers: readonly Spec[]): CompiledAuthorization => {
  const file = { apiVersion: "apiserver.config.k8s.io/v1", kind: "AuthorizationConfiguration", authorizers };
  const { resource, status: refused } = acceptAuthorization(file as never);
  if (refused !== undefined) throw new Error(refused.message);
  return resource!;
};

let seconds = 0;
const problems: string[] = [];
const chain = new ConfiguredChain({ now: () => seconds * 1000, observe: (problem) => problems.push(problem) });
await chain.use(compiled([webhook(), RBAC]));
const server = await launch({ authorizationChain: chain, store: await openMemory() });
afterAll(() => server.close());
const jane = new LocalClient(server.server, { username: "jane", groups: ["dev"] });
const get = async (path: string): Promise<number> => (await jane.call("GET", path)).code;
const CONFIG_MAPS = "/api/v1/namespaces/tenant-a/configmaps";

beforeEach(async () => {
  // Far enough for every cached answer.
  seconds += 3600;
  status = { allowed: true };
  answer = undefined;
  reviews.length = 0;
  problems.length = 0;
});

test("a webhook is asked where its conditions hold, and roles decide elsewhere", async () => {
  expect([await get(CONFIG_MAPS), await get("/api/v1/namespaces/other/configmaps"), await get("/version")]).toEqual([
    200, 403, 200,
  ]);
  expect(reviews).toEqual([
    {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SubjectAccessReview",
      metadata: {},
      spec: {
        user: "jane",
        groups: ["dev", "system:authenticated"],
        resourceAttributes: { verb: "list", namespace: "tenant-a", version: "v1", resource: "configmaps" },
      },
    },
  ]);
});

// biome-ignore format: one case per line
const answers = [
  { name: "denies",                     status: { allowed: false, denied: true, reason: "no" }, code: 403, problem: undefined },
  { name: "has no opinion",             status: { allowed: false, reason: "not mine" },         code: 403, problem: undefined },
  { name: "says both",                  status: { allowed: true, denied: true },                code: 403, problem: "returned both allow and deny response" },
  { name: "says yes as a text",         status: { allowed: "true" },                            code: 403, problem: "allowed and denied must be booleans" },
  { name: "has no status",              status: undefined,                                      code: 403, problem: "no SubjectAccessReview with a status" },
  { name: "is broken",                  status: "broken",                                       code: 403, problem: "status 500" },
  { name: "does not answer in time",    status: "hang",                                         code: 403, problem: "no answer within 500 ms" },
];
test.each(answers)("a webhook that $name", async (given) => {
  status = given.status;
  expect(await get(CONFIG_MAPS)).toBe(given.code);
  expect(problems).toEqual(given.problem === undefined ? [] : [expect.stringContaining(given.problem)]);
});

test("an answer that is no review does not allow", async () => {
  answer = () => '{"kind":"Status","status":{"allowed":true}}';
  expect(await get(CONFIG_MAPS)).toBe(403);
  answer = () => "<html>";
  expect(await get(CONFIG_MAPS)).toBe(403);
});

/** Decides about a pod of a tenant where everybody else allows it; the webhook has much time, on a busy machine too. */
async function patient(failurePolicy: string): Promise<() => Promise<string>> {
  const asking = new ConfiguredChain({ observe: (problem) => problems.push(problem) });
  const more = { failurePolicy, timeout: "30s", cacheAuthorizedRequests: false, cacheUnauthorizedRequests: false };
  await asking.use(compiled([webhook(more), RBAC]));
  const allow: Authorizer = { authorize: () => ({ decision: "allow" }) };
  const what = { verb: "get", resourceRequest: true, resource: "pods", namespace: "tenant-a" };
  return async () =>
    (await asking.over({ Node: allow, RBAC: allow }).authorize({ user: { name: "jane" }, ...what })).decision;
}

test("a webhook that says both denies, whatever its failure policy", async () => {
  const decision = await patient("NoOpinion");
  status = "broken";
  expect(await decision()).toBe("allow");
  status = { allowed: true, denied: true };
  expect(await decision()).toBe("deny");
  expect(problems.at(-1)).toContain("returned both allow and deny response");
});

test("a webhook that closes its connection is asked once more, and then no longer", async () => {
  const decision = await patient("Deny");
  resets = 1;
  expect([await decision(), problems, reviews.length]).toEqual(["allow", [], 2]);
  resets = 2;
  expect(await decision()).toBe("deny");
  expect(problems).toEqual([expect.stringContaining("the connection was closed")]);
  expect([reviews.length, resets]).toEqual([4, 0]);
});

test("a configuration that is read slowly does not replace a newer one", async () => {
  const changing = new ConfiguredChain();
  const older = changing.use(compiled([webhook({ matchConditions: [] }), RBAC]));
  expect(await changing.use(compiled([RBAC]))).toBeUndefined();
  expect(await older).toBe("a newer configuration came before this one was read");
  const none: Authorizer = { authorize: () => ({ decision: "noOpinion" }) };
  const asked = { user: { name: "jane" }, verb: "get", resourceRequest: true, resource: "pods" };
  expect((await changing.over({ Node: none, RBAC: none }).authorize(asked)).decision).toBe("noOpinion");
  expect(reviews).toEqual([]);
});

test("a chain decides also where everything else would be allowed", async () => {
  const open = await launch({ authorization: "AlwaysAllow", authorizationChain: chain, store: await openMemory() });
  try {
    const other = new LocalClient(open.server, { username: "jane", groups: ["dev"] });
    expect((await other.call("GET", "/api/v1/namespaces/other/configmaps")).code).toBe(403);
  } finally {
    await open.close();
  }
});

test("answers are cached for their time, and failures are not", async () => {
  await get(CONFIG_MAPS);
  seconds += 299;
  await get(CONFIG_MAPS);
  expect(reviews.length).toBe(1);
  seconds += 2;
  status = { allowed: false };
  expect(await get(CONFIG_MAPS)).toBe(403);
  seconds += 29;
  expect(await get(CONFIG_MAPS)).toBe(403);
  expect(reviews.length).toBe(2);
  seconds += 2;
  status = "broken";
  expect([await get(CONFIG_MAPS), await get(CONFIG_MAPS)]).toEqual([403, 403]);
  expect(reviews.length).toBe(4);
});

test("administrators need no webhook", async () => {
  status = { denied: true };
  expect((await server.client.call("GET", CONFIG_MAPS)).code).toBe(200);
  expect(reviews).toEqual([]);
});

test("another configuration, which keeps the server's own authorizers", async () => {
  expect(await chain.use(compiled([webhook()]))).toBe("missing required types: [RBAC]");
  const mild = webhook({ failurePolicy: "NoOpinion", matchConditions: [{ expression: "1 / 0 == 1" }] });
  expect(await chain.use(compiled([mild, RBAC]))).toBeUndefined();
  expect([await get(CONFIG_MAPS), await get("/version")]).toEqual([403, 200]);
  expect(problems[0]).toContain("expression '1 / 0 == 1' resulted in error: division by zero");
  const strict = webhook({ matchConditions: [{ expression: "1 / 0 == 1" }] });
  expect(await chain.use(compiled([RBAC, strict]))).toBeUndefined();
  expect([await get("/version"), await get(CONFIG_MAPS)]).toEqual([200, 403]);
  expect(await chain.use(compiled([webhook({ connectionInfo: { type: "InClusterConfig" } }), RBAC]))).toBe(
    "hook: connectionInfo.type InClusterConfig is not supported",
  );
});

test("without a configuration in force nobody may do anything", async () => {
  const empty = new ConfiguredChain().over({
    Node: { authorize: () => ({ decision: "allow" }) },
    RBAC: { authorize: () => ({ decision: "allow" }) },
  });
  const decision = await empty.authorize({ user: { name: "jane" }, verb: "get", resourceRequest: false, path: "/" });
  expect(decision.decision).toBe("noOpinion");
});
