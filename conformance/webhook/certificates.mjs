// Creates the corpus' cases of certificate policies as objects in an API server, with `celadon approver` deciding, and compares conditions
// and the words of its webhook with what approver-policy's own code answered. Both programs run as processes, as in a cluster. Figures go
// to results.json. Cases that no object can express are counted as left out, by reason.
//
//   node conformance/webhook/certificates.mjs --cases FILE

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { POLICY_DEFINITION } from "@celadon/certpolicy";
import { Api, connectionFromKubeconfig } from "@celadon/client";

const { values: given } = parseArgs({
  options: { cases: { type: "string" }, port: { type: "string", default: "29643" } },
});
const celadon = fileURLToPath(new URL("../../apps/cli/bin/celadon.mjs", import.meta.url));
const cases = JSON.parse(readFileSync(given.cases, "utf8"));
const work = mkdtempSync(join(tmpdir(), "celadon-certificates-"));
const port = Number(given.port);

const REQUESTS = { group: "cert-manager.io", version: "v1", resource: "certificaterequests" };
const POLICIES = { group: "policy.cert-manager.io", version: "v1alpha1", resource: "certificaterequestpolicies" };
const NAMESPACES = { group: "", version: "v1", resource: "namespaces" };
const DEFINITIONS = { group: "apiextensions.k8s.io", version: "v1", resource: "customresourcedefinitions" };
const RBAC = "rbac.authorization.k8s.io";
const rbac = (resource) => ({ group: RBAC, version: "v1", resource });

const counts = {};
const leftOut = {};
const differing = [];
const programs = [];
async function main() {
  programs.push(program("up", ["--memory", "-q", "--data-dir", work, "--port", String(port)]));
  await until("the API server", () => existsSync(join(work, "kubeconfig")));
  const path = join(work, "kubeconfig");
  const api = new Api(await connectionFromKubeconfig({ path }));
  await until("the API server", () => api.find(NAMESPACES, { name: "kube-public" }));
  await api.create(DEFINITIONS, REQUEST_DEFINITION);
  await api.create(DEFINITIONS, POLICY_DEFINITION);
  await until("definitions", () => answers(api.list(REQUESTS)) && answers(api.list(POLICIES)));
  const address = `127.0.0.1:${port + 2}`;
  programs.push(
    program("approver", [
      ...["--kubeconfig", path, "--namespace", "kube-public", "--workers", "4", "--metrics-port", String(port + 1)],
      ...["--webhook-listen", address, "--webhook-url", `https://${address}`],
    ]),
  );
  await until("the webhook of policies", async () => (await refusal(api, { selector: {} })) !== "");

  await written(api);
  await evaluated(api);
  await selected(api);
  for (const { kind, group } of cases)
    if (group === "cel" || /^(policy|request)-status$/.test(kind)) leave(`${kind} ${group}`, "of the library alone");

  const total = { cases: cases.length, same: 0, different: 0 };
  for (const count of Object.values(counts)) {
    total.same += count.same;
    total.different += count.different;
  }
  const results = new URL("./results.json", import.meta.url);
  const all = existsSync(results) ? JSON.parse(readFileSync(results, "utf8")) : {};
  const date = new Date().toISOString().slice(0, 10);
  all["certificates, celadon approver on celadon up"] = {
    ...total,
    byKind: counts,
    leftOut,
    node: process.version,
    date,
  };
  writeFileSync(results, `${JSON.stringify(all, undefined, 2)}\n`);
  for (const { id, got, want } of differing) console.log(`${id}\n  got  ${got}\n  want ${want}`);
  console.log(JSON.stringify({ ...total, counts, leftOut }, undefined, 2));
  process.exitCode = total.different > 0 ? 1 : 0;
}

/** Policies when they are written. */
async function written(api) {
  const prefix = 'admission webhook "policy.cert-manager.io" denied the request: ';
  for (const { id, kind, policySpec, registeredPlugins, expect } of cases) {
    if (kind !== "validate") continue;
    if (registeredPlugins.length > 0) {
      leave(kind, "plugins are no part of the program");
      continue;
    }
    const got = await refusal(api, policySpec);
    // A policy that the definition's schema rejects never reaches the webhook; its rejection is compared.
    const bySchema = got !== "" && !got.startsWith(prefix);
    const text = bySchema ? String(expect.allowed ? got : expect.message) : got.replace(prefix, "");
    compare(
      kind,
      id,
      expect.messageMatch === "prefix" ? text.slice(0, expect.message.length) : text,
      expect.message ?? "",
    );
  }
}

/** Compares allowed values and constraints: each case with its own issuer, so that all can be there at once. */
async function evaluated(api) {
  const wanted = new Map();
  const users = new Set();
  const plain = cases.find(({ request }) => request?.csrPem && request.csr?.commonName === "" && isBare(request.csr));
  for (const [i, testCase] of cases.entries()) {
    if (testCase.group !== "allowed" && testCase.group !== "constraints") continue;
    const { kind, group, id, expect } = testCase;
    const undecodable = group === "constraints" && testCase.request.csrPem !== "" && testCase.request.csr === null;
    if (undecodable || (group === "constraints" && /bad-csr/.test(id))) {
      leave(kind, "a review decodes the CSR before constraints are looked at");
      continue;
    }
    const spec = { ...testCase.policySpec, selector: { issuerRef: { name: `i${i}` } } };
    const request = { ...testCase.request };
    if (group === "constraints") {
      // Only constraints speak: everything is allowed.
      spec.allowed = EVERYTHING;
      if (!request.csrPem && expect.result !== "Error") request.csrPem = plain.request.csrPem;
    }
    try {
      await api.create(POLICIES, policyObject(`p${i}`, spec));
    } catch {
      leave(kind, "the definition or the webhook refuses such a policy");
      continue;
    }
    request.namespace ||= "default";
    request.username ||= "ann";
    users.add(request.username);
    await api
      .create(NAMESPACES, { apiVersion: "v1", kind: "Namespace", metadata: { name: request.namespace } })
      .catch(() => {});
    await create(api, {
      ...request,
      name: `r${i}`,
      issuerRef: { name: `i${i}`, kind: "Issuer", group: "cert-manager.io" },
    });
    const denied = `Denied No policy approved this request: [p${i}: ${expect.message}]`;
    const approved = `Approved Approved by CertificateRequestPolicy: "p${i}"`;
    const want = expect.result === "Error" ? "" : expect.result === "NotDenied" ? approved : denied;
    const prefix = expect.messageMatch === "prefix" || expect.engineText;
    wanted.set(`${request.namespace}/r${i}`, { id, kind: `${kind} ${group}`, want, prefix: prefix && want === denied });
  }
  await grant(api, [...users], "all");
  const open = async () => {
    const { items } = await api.list(REQUESTS);
    const got = new Map(items.map((item) => [`${item.metadata.namespace}/${item.metadata.name}`, conditionText(item)]));
    return [got, [...wanted].filter(([key, { want }]) => want !== "" && got.get(key) === "").length];
  };
  for (const end = Date.now() + 120_000; Date.now() < end && (await open())[1] > 0; ) await pause(500);
  const [got] = await open();
  for (const [key, { id, kind, want, prefix }] of wanted) {
    const cut = prefix ? want.lastIndexOf("]") : undefined;
    compare(kind, id, got.get(key)?.slice(0, cut), want.slice(0, cut));
  }
  await clear(api);
}

/** Selection, one case after the other. */
async function selected(api) {
  for (const [i, testCase] of cases.entries()) {
    const { id, kind, expect } = testCase;
    if (kind !== "review" && !kind.startsWith("predicate-")) continue;
    if (testCase.evaluators !== undefined) leave(kind, "evaluators of others");
    else if (!testCase.policies.every(isReady)) leave(kind, "the approver makes every policy ready");
    else if (!testCase.policies.every(({ name }, k) => k === 0 || testCase.policies[k - 1].name <= name))
      leave(kind, "a server lists policies by their names");
    else {
      const denies = kind !== "review";
      const request = { ...testCase.request, name: `s${i}` };
      request.namespace ||= "default";
      request.username ||= "ann";
      request.issuerRef ??= { name: "my-issuer", kind: "Issuer", group: "cert-manager.io" };
      if (denies) request.csrPem = cases.find(({ request: other }) => other?.csr?.dnsNames?.length > 0).request.csrPem;
      const labels = testCase.namespaces?.[request.namespace] ?? {};
      if (testCase.namespaces !== undefined && !(request.namespace in testCase.namespaces)) {
        leave(kind, "a request's namespace is always there");
        continue;
      }
      const metadata = { name: request.namespace, labels };
      await api.delete(NAMESPACES, { name: request.namespace }).catch(() => {});
      await until(
        "the namespace to go",
        async () =>
          (await api.find(NAMESPACES, { name: request.namespace })) === undefined || request.namespace === "default",
      );
      await api.create(NAMESPACES, { apiVersion: "v1", kind: "Namespace", metadata }).catch(() => {});
      if (testCase.rbac === undefined) await grant(api, [request.username], testCase.bound ?? "all");
      else await grantAll(api, testCase.rbac);
      let refused = false;
      for (const { name, spec } of testCase.policies) {
        const policy = policyObject(name, denies ? { selector: spec.selector } : spec);
        await api.create(POLICIES, policy).catch(() => (refused = true));
      }
      if (refused) leave(kind, "the definition or the webhook refuses such a policy");
      else {
        await until("policies to be ready", async () =>
          (await api.list(POLICIES)).items.every(({ status }) => status?.conditions?.length),
        );
        await create(api, request);
        const target = { namespace: request.namespace, name: request.name };
        const decided =
          expect.result !== "Error" && (denies ? expect.selected.length > 0 : expect.result !== "Unprocessed");
        const end = Date.now() + (decided ? 10_000 : 1_500);
        let text = "";
        while (text === "" && Date.now() < end) {
          await pause(50);
          text = conditionText(await api.get(REQUESTS, target));
        }
        if (denies) {
          const said = [...text.matchAll(/\[([^:\]]+): /g)].map(([, name]) => name);
          const names = said.filter((name) => testCase.policies.some((policy) => policy.name === name));
          compare(kind, id, names.join(), (expect.selected ?? []).join());
        } else compare(kind, id, text, decided ? `${expect.result} ${expect.message}` : "");
      }
      await clear(api);
    }
  }
}

const isReady = ({ conditions }) => conditions.some(({ type, status }) => type === "Ready" && status === "True");
const isBare = ({ dnsNames, ipAddresses, uris, emailAddresses, subject }) =>
  [dnsNames, ipAddresses, uris, emailAddresses, ...Object.values(subject)].every((value) => value.length === 0);

function compare(kind, id, got, want) {
  counts[kind] ??= { same: 0, different: 0 };
  if (got === want) counts[kind].same++;
  else {
    counts[kind].different++;
    differing.push({ id, got, want });
  }
}

function leave(kind, reason) {
  leftOut[kind] ??= {};
  leftOut[kind][reason] = (leftOut[kind][reason] ?? 0) + 1;
}

function program(verb, args) {
  const child = spawn(process.execPath, [celadon, verb, ...args], { stdio: ["ignore", "ignore", "pipe"] });
  const log = [];
  child.stderr.on("data", (chunk) => log.push(String(chunk)));
  child.on(
    "exit",
    (code) => code && code !== 143 && console.error(`celadon ${verb} ended with ${code}\n${log.join("").slice(-2000)}`),
  );
  return child;
}

async function until(what, isSo) {
  for (const end = Date.now() + 30_000; ; await pause(100)) {
    if (await Promise.resolve(isSo()).catch(() => false)) return;
    if (Date.now() > end) throw new Error(`waited too long for ${what}`);
  }
}

async function answers(promise) {
  await promise;
  return true;
}

function refusal(api, spec) {
  return api.create(POLICIES, policyObject("p", spec), { dryRun: true }).then(
    () => "",
    (error) => error.message,
  );
}

function create(api, { namespace, name, csrPem = "", csr, csrDecodeError, ...spec }) {
  return api.create(
    REQUESTS,
    {
      apiVersion: "cert-manager.io/v1",
      kind: "CertificateRequest",
      metadata: { namespace, name },
      spec: { ...spec, request: Buffer.from(csrPem).toString("base64") },
    },
    { namespace },
  );
}

function policyObject(name, spec) {
  return { apiVersion: "policy.cert-manager.io/v1alpha1", kind: "CertificateRequestPolicy", metadata: { name }, spec };
}

async function clear(api) {
  for (const { metadata } of (await api.list(REQUESTS)).items)
    await api.delete(REQUESTS, { namespace: metadata.namespace, name: metadata.name });
  for (const { metadata } of (await api.list(POLICIES)).items) await api.delete(POLICIES, { name: metadata.name });
  for (const resource of ["clusterrolebindings", "clusterroles", "rolebindings", "roles"]) {
    const { items } = await api.list(rbac(resource), { labelSelector: "replayed" });
    for (const { metadata } of items)
      await api.delete(rbac(resource), {
        name: metadata.name,
        ...(metadata.namespace && { namespace: metadata.namespace }),
      });
  }
}

async function grant(api, users, bound) {
  const rule = { apiGroups: ["policy.cert-manager.io"], resources: ["certificaterequestpolicies"], verbs: ["use"] };
  const rules = bound === "all" ? [rule] : bound.length === 0 ? [] : [{ ...rule, resourceNames: bound }];
  const subjects = users.map((name) => ({ kind: "User", name }));
  await grantAll(api, {
    clusterRoles: { use: rules },
    roles: {},
    clusterRoleBindings: [{ roleRef: "use", subjects }],
    roleBindings: [],
  });
}

async function grantAll(api, { clusterRoles, roles, clusterRoleBindings, roleBindings }) {
  const head = (kind, name, namespace) => ({
    apiVersion: `${RBAC}/v1`,
    kind,
    metadata: { name, labels: { replayed: "yes" }, ...(namespace && { namespace }) },
  });
  const subjectsOf = (subjects) =>
    subjects.map((subject) => (subject.kind === "ServiceAccount" ? subject : { ...subject, apiGroup: RBAC }));
  for (const [name, rules] of Object.entries(clusterRoles))
    await api.create(rbac("clusterroles"), { ...head("ClusterRole", name), rules });
  for (const [namespace, byName] of Object.entries(roles)) {
    await api
      .create(NAMESPACES, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } })
      .catch(() => {});
    for (const [name, rules] of Object.entries(byName))
      await api.create(rbac("roles"), { ...head("Role", name, namespace), rules }, { namespace });
  }
  for (const [i, { roleRef, subjects }] of clusterRoleBindings.entries())
    await api.create(rbac("clusterrolebindings"), {
      ...head("ClusterRoleBinding", `use-${i}`),
      roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: roleRef },
      subjects: subjectsOf(subjects),
    });
  for (const [i, { namespace, roleKind, roleRef, subjects }] of roleBindings.entries())
    await api.create(
      rbac("rolebindings"),
      {
        ...head("RoleBinding", `use-${i}`, namespace),
        roleRef: { apiGroup: RBAC, kind: roleKind, name: roleRef },
        subjects: subjectsOf(subjects),
      },
      { namespace },
    );
}

/** `Approved message` */
function conditionText({ status }) {
  return (status?.conditions ?? []).map(({ type, message }) => `${type} ${message}`).join("; ");
}

const ANY = { values: ["*"] };
const EVERYTHING = {
  commonName: { value: "*" },
  dnsNames: ANY,
  ipAddresses: ANY,
  uris: ANY,
  emailAddresses: ANY,
  isCA: true,
  usages: ["signing", "digital signature", "key encipherment", "server auth", "client auth", "cert sign", "crl sign"],
  subject: {
    organizations: ANY,
    countries: ANY,
    organizationalUnits: ANY,
    localities: ANY,
    provinces: ANY,
    streetAddresses: ANY,
    postalCodes: ANY,
    serialNumber: { value: "*" },
  },
};

const REQUEST_DEFINITION = JSON.parse(
  readFileSync(
    new URL("../../packages/cluster/src/approver/testdata/request-definition.json", import.meta.url),
    "utf8",
  ),
);

try {
  await main();
} finally {
  for (const child of programs) child.kill("SIGTERM");
  await pause(500);
  rmSync(work, { recursive: true, force: true });
}
