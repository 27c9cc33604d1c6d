import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request as send } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMemory } from "@celadon/storage/memory";
import { expect, test } from "vitest";
import { launch } from "../launch.ts";
import { CONFIG_MAPS, configMap } from "../server.testing.ts";
import { requestInfo } from "../wire/request-info.ts";
import { type AuditPolicy, decideAudit, readAuditPolicy } from "./audit-policy.ts";

const policy: AuditPolicy = {
  omitStages: ["RequestReceived"],
  rules: [
    { level: "None", users: ["system:noise"], verbs: ["watch"] },
    { level: "None", userGroups: ["system:nodes"], nonResourceURLs: ["/healthz*"] },
    { level: "RequestResponse", resources: [{ group: "", resources: ["configmaps"] }], omitManagedFields: true },
    { level: "Request", resources: [{ group: "", resources: ["pods/*", "*/token"] }], namespaces: ["default"] },
    { level: "Request", resources: [{ group: "apps", resources: ["deployments"], resourceNames: ["web"] }] },
    { level: "Metadata", omitStages: ["ResponseStarted"] },
  ],
};

// biome-ignore format: one case per line
const cases: readonly (readonly [method: string, path: string, user: string, groups: readonly string[], level: string])[] = [
  ["GET",   "/api/v1/pods?watch=true",                                     "system:noise", [],               "None"],
  ["GET",   "/api/v1/pods",                                                "system:noise", [],               "Metadata"],
  ["GET",   "/healthz/ping",                                               "n",            ["system:nodes"], "None"],
  ["GET",   "/healthz",                                                    "n",            [],               "Metadata"],
  ["POST",  "/api/v1/namespaces/a/configmaps",                             "n",            [],               "RequestResponse"],
  ["GET",   "/api/v1/namespaces/default/pods/p/log",                       "n",            [],               "Request"],
  ["GET",   "/api/v1/namespaces/default/pods/p",                           "n",            [],               "Metadata"],
  ["POST",  "/api/v1/namespaces/default/serviceaccounts/s/token",          "n",            [],               "Request"],
  ["POST",  "/api/v1/namespaces/other/serviceaccounts/s/token",            "n",            [],               "Metadata"],
  ["PATCH", "/apis/apps/v1/namespaces/a/deployments/web",                  "n",            [],               "Request"],
  ["PATCH", "/apis/apps/v1/namespaces/a/deployments/other",                "n",            [],               "Metadata"],
];

test.each(cases)("%s %s by %s", (method, url, username, groups, level) => {
  const [path = "", query = ""] = url.split("?");
  const info = requestInfo(method, path, new URLSearchParams(query));
  expect(decideAudit(policy, { info, user: { username, groups } }).level).toBe(level);
});

// biome-ignore format: one case per line
test.each([
  [{ apiVersion: "v1", kind: "Policy" },                                                               "apiVersion and kind must be audit.k8s.io/v1 and Policy"],
  [{ rules: [] },                                                                                      "it has no rules"],
  [{ rules: [{ level: "All" }] },                                                                      "rules[0].level must be one of None, Metadata, Request, RequestResponse"],
  [{ rules: [{ level: "None", verbs: "get" }] },                                                       "rules[0].verbs must be a list"],
  [{ rules: [{ level: "None", nonResourceURLs: ["/a"], namespaces: ["b"] }] },                         "rules[0].nonResourceURLs cannot be combined with resources or namespaces"],
  [{ rules: [{ level: "None" }], omitStages: ["Never"] },                                              "omitStages: must be a list of RequestReceived, ResponseStarted, ResponseComplete, Panic"],
])("a policy that cannot be used: %j", (given, problem) => {
  expect(readAuditPolicy({ apiVersion: "audit.k8s.io/v1", kind: "Policy", ...given })).toEqual({ problem });
});

test("the log has as much of a request as the policy says", async () => {
  const directory = mkdtempSync(join(tmpdir(), "audit-"));
  const auditLog = join(directory, "audit.log");
  const users = { secret: { username: "ann", groups: ["system:masters"] }, weak: { username: "bob", groups: [] } };
  const server = await launch({ store: await openMemory(), auditLog, auditPolicy: policy, tokens: users });
  const call = (method: string, path: string, token: string, body?: object): Promise<void> =>
    new Promise((done, fail) => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const sent = send(new URL(path, server.url), { method, headers, ca: server.caCertificate }, (response) => {
        response.resume().on("end", done);
      });
      sent.on("error", fail).end(body && JSON.stringify(body));
    });
  await call("POST", CONFIG_MAPS, "secret", configMap("a", { data: { b: "c" } }));
  await call("GET", "/api/v1/namespaces/default/pods", "weak");
  await call("DELETE", `${CONFIG_MAPS}/a`, "secret");
  await server.close();
  const events = readFileSync(auditLog, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  rmSync(directory, { recursive: true });
  expect(events).toMatchObject([
    {
      kind: "Event",
      level: "RequestResponse",
      stage: "ResponseComplete",
      verb: "create",
      user: { username: "ann" },
      objectRef: { resource: "configmaps", namespace: "default", name: "a", apiVersion: "v1" },
      responseStatus: { code: 201 },
      requestObject: { kind: "ConfigMap", data: { b: "c" } },
      responseObject: { metadata: { name: "a", resourceVersion: expect.any(String) } },
      annotations: { "authorization.k8s.io/decision": "allow" },
    },
    {
      level: "Metadata",
      responseStatus: { code: 403, reason: "Forbidden" },
      annotations: { "authorization.k8s.io/decision": "forbid" },
    },
    { verb: "delete", responseStatus: { metadata: {}, status: "Success", details: { name: "a" }, code: 200 } },
  ]);
  expect(events[0].responseObject.metadata.managedFields).toBeUndefined();
  expect(events[1].requestObject).toBeUndefined();
  expect(events[1].responseStatus.kind).toBeUndefined();
});
