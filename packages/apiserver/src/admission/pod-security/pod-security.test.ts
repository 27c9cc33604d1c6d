// Pod security: each check by its violation, versions, and what becomes of it in the three modes.

import { beforeAll, expect, test } from "vitest";
import { type TestServer, testServer } from "../../server.testing.ts";
import { detailText, evaluatePod } from "./evaluate.ts";
import { type Level, policyOf } from "./policy-labels.ts";

type Json = Record<string, unknown>;

const SAFE = {
  allowPrivilegeEscalation: false,
  runAsNonRoot: true,
  capabilities: { drop: ["ALL"] },
  seccompProfile: { type: "RuntimeDefault" },
};

/** A pod that is accepted at every level, except for the given fields. */
function pod(spec: Json = {}, context: Json = {}, container: Json = {}, annotations: Json = {}): [Json, Json] {
  const containers = [{ name: "a", image: "i", securityContext: { ...SAFE, ...context }, ...container }];
  return [{ annotations }, { containers, ...spec }];
}

const violations = (level: Level, version: number | "latest", [metadata, spec]: [Json, Json]): string =>
  detailText(evaluatePod({ level, version }, metadata as never, spec as never));

type Case = [what: string, level: Level, version: number | "latest", pod: Parameters<typeof pod>, text: string];

// biome-ignore format: one case per line
const cases: readonly Case[] = [
  ["nothing", "restricted", "latest", [], ""],
  ["host namespaces", "baseline", "latest", [{ hostNetwork: true, hostPID: true, hostIPC: true }], "host namespaces (hostNetwork=true, hostPID=true, hostIPC=true)"],
  ["privileged", "baseline", 0, [{}, { privileged: true }], 'privileged (container "a" must not set securityContext.privileged=true)'],
  ["capabilities", "baseline", 5, [{}, { capabilities: { add: ["NET_RAW", "CHOWN", "SYS_ADMIN"] } }], 'non-default capabilities (container "a" must not include "NET_RAW", "SYS_ADMIN" in securityContext.capabilities.add)'],
  ["capabilities of the restricted level", "restricted", "latest", [{}, { capabilities: { add: ["CHOWN", "NET_BIND_SERVICE"] } }], 'unrestricted capabilities (container "a" must set securityContext.capabilities.drop=["ALL"]; container "a" must not include "CHOWN" in securityContext.capabilities.add)'],
  ["capabilities before 1.22", "restricted", 21, [{}, { capabilities: { add: ["CHOWN"] } }], ""],
  ["hostPath", "baseline", "latest", [{ volumes: [{ name: "v", hostPath: {} }, { name: "w", hostPath: {} }] }], 'hostPath volumes (volumes "v", "w")'],
  ["volumes of the restricted level", "restricted", "latest", [{ volumes: [{ name: "v", hostPath: {} }, { name: "w", nfs: {} }, { name: "x", emptyDir: {} }, { name: "y" }] }], 'restricted volume types (volumes "v", "w", "y" use restricted volume types "hostPath", "nfs", "unknown")'],
  ["ports", "baseline", "latest", [{}, {}, { ports: [{ hostPort: 80 }, { hostPort: 443 }, { containerPort: 1 }] }], 'hostPort (container "a" uses hostPorts 443, 80)'],
  ["hosts of probes", "baseline", 34, [{}, {}, { livenessProbe: { httpGet: { host: "h" } }, lifecycle: { preStop: { tcpSocket: { host: "g" } } } }], 'probe or lifecycle host (container "a" uses probe or lifecycle hosts "g", "h")'],
  ["hosts of probes before 1.34", "baseline", 33, [{}, {}, { livenessProbe: { httpGet: { host: "h" } } }], ""],
  ["AppArmor", "baseline", "latest", [{ securityContext: { appArmorProfile: { type: "Unconfined" } } }, {}, {}, { "container.apparmor.security.beta.kubernetes.io/a": "unconfined" }], 'forbidden AppArmor profiles (pod and annotation must not set AppArmor profile type to "Unconfined", "container.apparmor.security.beta.kubernetes.io/a="unconfined"")'],
  ["SELinux", "baseline", "latest", [{ securityContext: { seLinuxOptions: { type: "x", user: "u" } } }, { seLinuxOptions: { role: "r" } }], 'seLinuxOptions (pod and container "a" set forbidden securityContext.seLinuxOptions: type "x"; user may not be set; role may not be set)'],
  ["SELinux types before 1.31", "baseline", 30, [{}, { seLinuxOptions: { type: "container_engine_t" } }], 'seLinuxOptions (container "a" set forbidden securityContext.seLinuxOptions: type "container_engine_t")'],
  ["SELinux types", "baseline", 31, [{}, { seLinuxOptions: { type: "container_engine_t" } }], ""],
  ["procMount", "baseline", "latest", [{}, { procMount: "Unmasked" }], 'procMount (container "a" must not set securityContext.procMount to "Unmasked")'],
  ["procMount in a user namespace", "baseline", "latest", [{ hostUsers: false }, { procMount: "Unmasked" }], ""],
  ["procMount in a user namespace, restricted", "restricted", "latest", [{ hostUsers: false }, { procMount: "Unmasked" }], 'procMount (container "a" must not set securityContext.procMount to "Unmasked")'],
  ["seccomp annotations", "baseline", 18, [{}, {}, {}, { "seccomp.security.alpha.kubernetes.io/pod": "unconfined" }], 'seccompProfile (forbidden annotation seccomp.security.alpha.kubernetes.io/pod="unconfined")'],
  ["seccomp", "baseline", 19, [{}, { seccompProfile: { type: "Unconfined" } }], 'seccompProfile (container "a" must not set securityContext.seccompProfile.type to "Unconfined")'],
  ["no seccomp", "restricted", "latest", [{}, { seccompProfile: undefined }], 'seccompProfile (pod or container "a" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")'],
  ["seccomp of the pod", "restricted", "latest", [{ securityContext: { seccompProfile: { type: "Localhost" } } }, { seccompProfile: undefined }], ""],
  ["sysctls", "baseline", 26, [{ securityContext: { sysctls: [{ name: "net.ipv4.ip_local_reserved_ports" }, { name: "kernel.msgmax" }] } }], "forbidden sysctls (net.ipv4.ip_local_reserved_ports, kernel.msgmax)"],
  ["sysctls of 1.32", "baseline", 32, [{ securityContext: { sysctls: [{ name: "net.ipv4.tcp_rmem" }] } }], ""],
  ["host processes", "baseline", "latest", [{ securityContext: { windowsOptions: { hostProcess: true } } }], "hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)"],
  ["privilege escalation", "restricted", "latest", [{}, { allowPrivilegeEscalation: undefined }], 'allowPrivilegeEscalation != false (container "a" must set securityContext.allowPrivilegeEscalation=false)'],
  ["privilege escalation on Windows", "restricted", "latest", [{ os: { name: "windows" } }, { allowPrivilegeEscalation: undefined }], ""],
  ["root by omission", "restricted", "latest", [{}, { runAsNonRoot: undefined }], 'runAsNonRoot != true (pod or container "a" must set securityContext.runAsNonRoot=true)'],
  ["root by will", "restricted", "latest", [{ securityContext: { runAsNonRoot: false } }, { runAsNonRoot: false }], 'runAsNonRoot != true (pod and container "a" must not set securityContext.runAsNonRoot=false)'],
  ["root in a user namespace", "restricted", "latest", [{ hostUsers: false }, { runAsNonRoot: false, runAsUser: 0 }], ""],
  ["user 0", "restricted", 23, [{ securityContext: { runAsUser: 0 } }, { runAsUser: 0 }], 'runAsUser=0 (pod and container "a" must not set runAsUser=0)'],
  ["a version that is yet to come", "restricted", 99, [{}, { privileged: true }], 'privileged (container "a" must not set securityContext.privileged=true)'],
  ["the order of checks", "restricted", "latest", [{ hostPID: true }, { runAsNonRoot: undefined, privileged: true }], 'host namespaces (hostPID=true), privileged (container "a" must not set securityContext.privileged=true), runAsNonRoot != true (pod or container "a" must set securityContext.runAsNonRoot=true)'],
];

test.each(cases)("%s: %s %s", (_, level, version, given, text) => {
  expect(violations(level, version, pod(...given))).toBe(text);
});

test("labels become levels; an invalid level is enforced as the strictest", () => {
  const label = (mode: string): string => `pod-security.kubernetes.io/${mode}`;
  expect(policyOf({}).policy.enforce).toEqual({ level: "privileged", version: "latest" });
  expect(policyOf({ [label("enforce")]: "baseline", [label("enforce-version")]: "v1.20" }).policy).toEqual({
    enforce: { level: "baseline", version: 20 },
    audit: { level: "privileged", version: "latest" },
    warn: { level: "baseline", version: 20 },
  });
  const wrong = policyOf({ [label("enforce")]: "x", [label("warn")]: "y", [label("audit-version")]: "1.20" });
  expect(wrong.policy).toEqual({
    enforce: { level: "restricted", version: "latest" },
    audit: { level: "privileged", version: "latest" },
    warn: { level: "privileged", version: "latest" },
  });
  expect(wrong.errors.map(({ path }) => String(path))).toHaveLength(3);
});

let running: TestServer;
beforeAll(async () => {
  running = await testServer();
  return () => running.server.close();
});

const NAMESPACES = "/api/v1/namespaces";
const namespace = (name: string, labels: Json): Json => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: {
    name,
    labels: Object.fromEntries(Object.entries(labels).map(([k, v]) => [`pod-security.kubernetes.io/${k}`, v])),
  },
});
const podOf = (name: string, [metadata, spec]: [Json, Json]): Json => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, ...metadata },
  spec,
});

test("a pod that violates the enforced level is denied, and its workload is warned of", async () => {
  const { admin } = running;
  await admin.call("POST", NAMESPACES, { body: namespace("strict", { enforce: "restricted", audit: "baseline" }) });
  const pods = `${NAMESPACES}/strict/pods`;
  const bad = pod({}, { privileged: true, allowPrivilegeEscalation: true });
  const denied = await admin.call("POST", pods, { body: podOf("p", bad) });
  const text =
    'privileged (container "a" must not set securityContext.privileged=true), allowPrivilegeEscalation != false (container "a" must set securityContext.allowPrivilegeEscalation=false)';
  expect(denied.json()).toMatchObject({
    code: 403,
    reason: "Forbidden",
    message: `pods "p" is forbidden: violates PodSecurity "restricted:latest": ${text}`,
    details: { name: "p", kind: "pods" },
  });
  expect((await admin.call("POST", pods, { body: podOf("p", pod()) })).code).toBe(201);
  const [metadata, spec] = bad;
  const deployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "d" },
    spec: { selector: { matchLabels: { a: "b" } }, template: { metadata: { ...metadata, labels: { a: "b" } }, spec } },
  };
  const created = await admin.call("POST", "/apis/apps/v1/namespaces/strict/deployments", { body: deployment });
  expect(created.code).toBe(201);
  expect(created.warnings).toEqual([`would violate PodSecurity "restricted:latest": ${text}`]);
});

test("invalid labels are rejected; a stricter namespace gets warnings about its pods", async () => {
  const { admin } = running;
  const refused = await admin.call("POST", NAMESPACES, { body: namespace("wrong", { enforce: "tight" }) });
  expect(refused.json()).toMatchObject({
    code: 422,
    message:
      'Namespace "wrong" is invalid: metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "tight": must be one of privileged, baseline, restricted',
  });
  await admin.call("POST", NAMESPACES, { body: namespace("loose", {}) });
  for (const name of ["b", "a", "c"]) {
    const spec = name === "c" ? { hostNetwork: true } : {};
    const body = podOf(name, pod(spec, { privileged: true, allowPrivilegeEscalation: true }));
    expect((await admin.call("POST", `${NAMESPACES}/loose/pods`, { body })).code).toBe(201);
  }
  const body = { metadata: { labels: { "pod-security.kubernetes.io/enforce": "baseline" } } };
  const changed = await admin.call("PATCH", `${NAMESPACES}/loose`, { body, type: "application/merge-patch+json" });
  expect(changed.warnings).toEqual([
    'existing pods in namespace "loose" violate the new PodSecurity enforce level "baseline:latest"',
    "a (and 1 other pod): privileged",
    "c: host namespaces, privileged",
  ]);
  const labelled = { metadata: { labels: { mine: "x" } } };
  const kept = await admin.call("PATCH", `${NAMESPACES}/loose/pods/a`, {
    body: labelled,
    type: "application/merge-patch+json",
  });
  expect(kept.code).toBe(200);
});
