// Replays the recorded scenarios of policies against an API server whose own policies are off, with `celadon webhook` enforcing them, and
// compares the answers with those of an API server's own policies. Additions of a webhook are removed before: the lead-in of its denials,
// its name before audit annotations. Limits of a webhook are listed in differences.json with the reason; the figures go to
// results.json.
//
//   node conformance/webhook/replay.mjs --kubeconfig FILE --audit-log FILE --scenarios DIR [--only GLOB]… [--label NAME]
//
// The kubeconfig is that of an administrator, with a token or a client certificate.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { parse } from "yaml";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { values: given } = parseArgs({
  options: {
    kubeconfig: { type: "string" },
    "audit-log": { type: "string" },
    scenarios: { type: "string" },
    only: { type: "string", multiple: true },
    label: { type: "string", default: "kube-apiserver" },
    port: { type: "string", default: "29443" },
    /** Answers of an earlier run, to be compared again. */
    recorded: { type: "string" },
  },
});
const LEAD_IN = /^admission webhook "[a-z0-9.-]+\.celadon\.dev" denied the request: /;
const GROUPS = ["vap", "vap-api", "vap-match", "vap-messages", "vap-params", "map", "stories", "match-conditions"];
const only = given.only ?? GROUPS.map((group) => `${group}/*`);
const work = mkdtempSync(join(tmpdir(), "celadon-replay-"));

const out = given.recorded ?? join(work, "out");
if (given.recorded === undefined) await replay();

const known = JSON.parse(readFileSync(new URL("./differences.json", import.meta.url), "utf8"));
const seen = new Set();
const counts = { scenarios: 0, steps: 0, same: 0, known: 0, different: 0 };
const differing = [];
for (const group of readdirSync(out).filter((name) => !name.endsWith(".json"))) {
  for (const file of readdirSync(join(out, group)).filter((name) => name.endsWith(".json"))) {
    const scenario = `${group}/${file.slice(0, -5)}`;
    const got = stepsOf(JSON.parse(readFileSync(join(out, group, file), "utf8")));
    const want = stepsOf(JSON.parse(readFileSync(join(given.scenarios, group, file), "utf8")));
    counts.scenarios++;
    for (const [id, wanted] of want) {
      counts.steps++;
      const parts = differences(normal(got.get(id) ?? {}), normal(wanted));
      if (parts.length === 0) counts.same++;
      else if (isKnown(`${scenario}#${id}`)) counts.known++;
      else {
        counts.different++;
        differing.push({ step: `${scenario}#${id}`, parts });
      }
    }
  }
}
const results = new URL("./results.json", import.meta.url);
const all = existsSync(results) ? JSON.parse(readFileSync(results, "utf8")) : {};
if (given.only === undefined) {
  all[given.label] = { ...counts, node: process.version, date: new Date().toISOString().slice(0, 10) };
  writeFileSync(results, `${JSON.stringify(all, undefined, 2)}\n`);
}
for (const { step, parts } of differing) {
  console.log(step);
  for (const [field, got, want] of parts)
    console.log(`  ${field}\n    got  ${JSON.stringify(got)}\n    want ${JSON.stringify(want)}`);
}
console.log(JSON.stringify(counts), work);
const gone = given.only === undefined ? known.filter((value) => !seen.has(value)) : [];
for (const { steps } of gone) console.log(`listed in differences.json and no longer different: ${steps}`);
process.exit(counts.different + gone.length > 0 ? 1 : 0);

function isKnown(step) {
  const found = known.find((value) => new RegExp(value.steps).test(step));
  if (found !== undefined) seen.add(found);
  return found !== undefined;
}

function stepsOf(record) {
  return new Map(record.steps.map(({ id, result }) => [id, result ?? {}]));
}

/** The compared parts: verdict, code, reason, message, warnings, audit annotations, and what became of the object. */
function normal(step) {
  const { code, reason, message, warnings = [], auditAnnotations = {}, fields, webhooks } = step;
  const annotations = {};
  for (const [key, value] of Object.entries(auditAnnotations)) {
    if (String(value).includes("celadon-webhook")) continue; // that a webhook was asked, and changed something
    const own = /^[a-z0-9.-]+\.celadon\.dev\/(.*)$/.exec(key)?.[1]?.replace("_", "/");
    annotations[own ?? key] = value;
  }
  return {
    ...(code !== undefined && { code }),
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message: message.replace(LEAD_IN, "") }),
    warnings: [...warnings].sort(),
    auditAnnotations: annotations,
    ...(fields && { fields }),
    ...(webhooks && { webhooks }),
  };
}

function differences(got, want) {
  const fields = new Set([...Object.keys(got), ...Object.keys(want)]);
  return [...fields].flatMap((field) =>
    canonical(got[field]) === canonical(want[field]) ? [] : [[field, got[field], want[field]]],
  );
}

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${key}:${canonical(value[key])}`)
    .join()}}`;
}

async function replay() {
  // The namespace of the webhook: nothing is enforced in it.
  const celadon = [join(root, "apps/cli/bin/celadon.mjs")];
  const webhook = spawn(
    process.execPath,
    [
      ...celadon,
      ...[
        "webhook",
        "--kubeconfig",
        given.kubeconfig,
        "--namespace",
        "kube-public",
        "--group",
        "admissionregistration.k8s.io",
      ],
      ...[
        "--listen",
        `127.0.0.1:${given.port}`,
        "--url",
        `https://127.0.0.1:${given.port}`,
        "--timeout",
        "10",
        "--drain",
        "0",
      ],
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const log = [];
  webhook.stderr.on("data", (chunk) => log.push(String(chunk)));
  await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the webhook does not start:\n${log.join("")}`)), 60_000);
    webhook.stderr.on("data", () => {
      if (!log.join("").includes("serving at")) return;
      clearTimeout(timer);
      resolve();
    });
  });

  const { server, token, certificate } = administrator();

  // A policy is in force when the API server has the written configuration as well; the replayer's own signals do not show that.
  const patched = join(work, "replay.py");
  writeFileSync(
    patched,
    readFileSync(join(given.scenarios, "replay.py"), "utf8")
      .replace(
        "    def settle(self, scenario):\n",
        "    def settle(self, scenario):\n        changed = bool(self.dirty)\n        self.settle_now(scenario)\n        if changed: time.sleep(0.8)\n\n    def settle_now(self, scenario):\n",
      )
      .replace(
        "            self.context = ssl._create_unverified_context()\n",
        `            self.context = ssl._create_unverified_context()\n${certificate ? `            self.context.load_cert_chain(${JSON.stringify(certificate)})\n` : ""}`,
      ),
  );
  const audit = given["audit-log"] ? ["--audit-log", given["audit-log"]] : ["--no-audit"];
  const replayed = spawnSync(
    "python3",
    [
      ...[patched, "--scenarios", given.scenarios, "--server", server, "--token", token, ...audit],
      ...["--out", out, "--clean", "--quiet", ...only.flatMap((glob) => ["--only", glob])],
    ],
    { encoding: "utf8", maxBuffer: 1 << 28, timeout: 3_000_000 },
  );
  webhook.kill("SIGTERM");
  if (replayed.status !== 0 && !existsSync(out)) throw new Error(replayed.stderr.slice(-2000));
  writeFileSync(join(work, "webhook.log"), log.join(""));
}

/** The address of the server and the administrator's credentials. */
function administrator() {
  const { clusters, users } = parse(readFileSync(given.kubeconfig, "utf8"));
  const { server } = clusters[0].cluster;
  const user = users[0].user;
  if (user.token !== undefined) return { server, token: user.token };
  const certificate = join(work, "administrator.pem");
  const parts = [user["client-certificate-data"], user["client-key-data"]].map((text) => Buffer.from(text, "base64"));
  writeFileSync(certificate, Buffer.concat(parts), { mode: 0o600 });
  return { server, token: "", certificate };
}
