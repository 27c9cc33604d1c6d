// Requests at a server: which of them wait for which others.

import type { WebhookTransport } from "@celadon/admission/webhook";
import { afterEach, expect, test } from "vitest";
import { LocalClient, type Reply } from "../client/local-client.ts";
import { CONFIG_MAPS, configMap, testServer } from "../server.testing.ts";
import type { ApiServer } from "../server.ts";

const FLOW = "/apis/flowcontrol.apiserver.k8s.io/v1";

// The seats of kube-apiserver 1.36 with its defaults.
// biome-ignore format: one row per line
const SEATS = {
  nominal_limit_seats: { "catch-all": 13,  exempt: 0,   "global-default": 49,  "leader-election": 25,  "node-high": 98,  system: 74,  "workload-high": 98,  "workload-low": 245 },
  lower_limit_seats:   { "catch-all": 13,  exempt: 0,   "global-default": 24,  "leader-election": 25,  "node-high": 73,  system: 50,  "workload-high": 49,  "workload-low": 24 },
  upper_limit_seats:   { "catch-all": 613, exempt: 600, "global-default": 649, "leader-election": 625, "node-high": 698, system: 674, "workload-high": 698, "workload-low": 845 },
  current_limit_seats: { "catch-all": 30,  exempt: 1,   "global-default": 56,  "leader-election": 58,  "node-high": 170, system: 117, "workload-high": 114, "workload-low": 56 },
};
/** A version that no store has yet. */
const LATER = `${CONFIG_MAPS}?resourceVersion=99999999`;

let running: ApiServer | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

/** A server at which everybody may do everything, with a client for each user. */
async function serverWith(requestLimit: number, requestTimeout = 60_000) {
  const { server, admin } = await testServer({ requestLimit, requestTimeout, authorization: "AlwaysAllow" });
  running = server;
  const as = (username: string): LocalClient => new LocalClient(server, { username, groups: ["system:authenticated"] });
  return { server, admin, as };
}

const metric = (text: string, name: string): string[] =>
  text.split("\n").filter((line) => line.startsWith(`apiserver_flowcontrol_${name}{`));

test("lists of a version yet to come keep out nobody", async () => {
  const { admin, as } = await serverWith(60);
  const [eve, bob] = [as("eve"), as("bob")];
  const waiting = Array.from({ length: 650 }, () => eve.call("GET", LATER));
  await new Promise((resolve) => setTimeout(resolve, 50));
  const others = await Promise.all([admin, bob, eve].map((client) => client.call("GET", CONFIG_MAPS)));
  expect(others.map(({ code }) => code)).toEqual([200, 200, 200]);
  expect(metric((await admin.call("GET", "/metrics")).text, "current_executing_requests")).toEqual([
    'apiserver_flowcontrol_current_executing_requests{flow_schema="exempt",priority_level="exempt"} 1',
  ]);
  // The requests beyond her queues' length were rejected; the others waited for their version without a seat.
  const codes = (await Promise.all(waiting)).map(({ code }) => code);
  expect(codes.filter((code) => code === 504).length).toBeGreaterThan(300);
  expect(codes.filter((code) => code !== 504 && code !== 429)).toEqual([]);
}, 15_000);

/** A server whose creations of config maps last until they are released, because a webhook holds them back. */
async function slowServer(requestLimit: number, requestTimeout = 60_000) {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const webhooks: WebhookTransport = {
    async call({ review }) {
      await released;
      const uid = review.request?.uid ?? "";
      const response = { uid, allowed: true };
      return { status: 200, body: { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response } };
    },
  };
  const { server, admin } = await testServer({
    requestLimit,
    requestTimeout,
    authorization: "AlwaysAllow",
    webhooks,
  });
  running = server;
  const body = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "slow" },
    webhooks: [
      {
        name: "slow.example.com",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        timeoutSeconds: 30,
        clientConfig: { url: "https://127.0.0.1:1/" },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
      },
    ],
  };
  const url = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
  expect((await admin.call("POST", url, { body })).code).toBe(201);
  const as = (username: string): LocalClient => new LocalClient(server, { username, groups: ["system:authenticated"] });
  return { admin, as, release };
}

const create = (client: LocalClient, name: string): Promise<Reply> =>
  client.call("POST", CONFIG_MAPS, { body: configMap(name) });

test("a user with many requests waits for itself, and learns when to come again", async () => {
  const { admin, as, release } = await slowServer(60);
  const [eve, bob] = [as("eve"), as("bob")];
  // More than the seats and the queues of her hand take.
  const many = Array.from({ length: 500 }, (_, i) => create(eve, `eve-${i}`));
  await new Promise((resolve) => setTimeout(resolve, 50));
  const bobs = create(bob, "bob");
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect((await admin.call("GET", CONFIG_MAPS)).code).toBe(200);
  const table = (await admin.call("GET", "/debug/api_priority_and_fairness/dump_priority_levels")).text;
  expect(table).toMatch(/^PriorityLevelName, +ActiveQueues, +IsIdle,/);
  expect(table).toMatch(/^global-default, +7, +false, +false, +\d+, +\d+,/m);
  const requests = (await admin.call("GET", "/debug/api_priority_and_fairness/dump_requests?includeRequestDetails=1"))
    .text;
  expect(requests).toMatch(
    /^global-default, +global-default, +\d+, +\d+, +bob,.* bob, +create, +\/api\/v1\/namespaces\/default\/configmaps,/m,
  );
  expect(
    (await admin.call("GET", "/debug/api_priority_and_fairness/dump_queues")).text.split("\n").length,
  ).toBeGreaterThan(128);
  const metrics = (await admin.call("GET", "/metrics")).text;
  // Six queues of fifty, less what runs on seats that the level has borrowed since.
  const [line = "", ...more] = metric(metrics, "current_inqueue_requests");
  const [name, waiting] = line.split(" ");
  expect([name, more]).toEqual([
    'apiserver_flowcontrol_current_inqueue_requests{flow_schema="global-default",priority_level="global-default"}',
    [],
  ]);
  expect(Number(waiting)).toBeGreaterThan(200);
  expect(Number(waiting)).toBeLessThanOrEqual(301);
  expect(metric(metrics, "rejected_requests_total")).toHaveLength(1);
  release();
  expect((await bobs).code).toBe(201);
  const rejected = (await Promise.all(many)).filter(({ code }) => code === 429);
  expect(rejected.length).toBeGreaterThan(100);
  const [{ type, text, headers }] = rejected as [Reply];
  expect([type, text]).toEqual(["text/plain; charset=utf-8", "Too many requests, please try again later.\n"]);
  expect(Number(headers["retry-after"])).toBeGreaterThan(0);
  expect(headers["x-kubernetes-pf-flowschema-uid"]).toMatch(/^[0-9a-f-]{36}$/);
}, 15_000);

test("a request waits in its queue for a quarter of its time", async () => {
  const { as, release } = await slowServer(60, 400);
  const [eve, bob] = [as("eve"), as("bob")];
  const many = Array.from({ length: 40 }, (_, i) => create(eve, `eve-${i}`));
  await new Promise((resolve) => setTimeout(resolve, 20));
  const before = performance.now();
  expect((await bob.call("GET", `${CONFIG_MAPS}?timeout=200ms`)).code).toBe(429);
  expect(performance.now() - before).toBeGreaterThan(45);
  release();
  await Promise.all(many);
  expect((await bob.call("GET", CONFIG_MAPS)).code).toBe(200);
});

test("a refusal names the schema as well; a schema without its level matches nothing", async () => {
  const { server, admin } = await testServer();
  running = server;
  const eve = new LocalClient(server, { username: "eve", groups: ["system:authenticated"] });
  const { code, headers } = await eve.call("GET", CONFIG_MAPS);
  expect(code).toBe(403);
  const schema = headers["x-kubernetes-pf-flowschema-uid"];
  expect(schema).toBe((await admin.call("GET", `${FLOW}/flowschemas/global-default`)).json().metadata.uid);
  const created = await admin.call("POST", `${FLOW}/flowschemas`, {
    body: {
      apiVersion: "flowcontrol.apiserver.k8s.io/v1",
      kind: "FlowSchema",
      metadata: { name: "nowhere" },
      spec: {
        matchingPrecedence: 50,
        priorityLevelConfiguration: { name: "nowhere" },
        rules: [
          {
            subjects: [{ kind: "User", user: { name: "eve" } }],
            resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], namespaces: ["*"] }],
          },
        ],
      },
    },
  });
  expect(created.code).toBe(201);
  expect((await eve.call("GET", CONFIG_MAPS)).headers["x-kubernetes-pf-flowschema-uid"]).toBe(schema);
});

test("levels have the seats that kube-apiserver gives them", async () => {
  const { admin } = await serverWith(600);
  const { text } = await admin.call("GET", "/metrics");
  const seats = (name: string): Record<string, number> =>
    Object.fromEntries(
      metric(text, name).map((line) => [/priority_level="([^"]+)"/.exec(line)![1], Number(line.split(" ").at(-1))]),
    );
  const { current_limit_seats: current, ...configured } = SEATS;
  for (const [name, want] of Object.entries(configured)) expect(seats(name)).toEqual(want);
  // Administrators have no seats of their own: as many as they lately used.
  expect({ ...seats("current_limit_seats"), exempt: 1 }).toEqual(current);
});
