// `celadon audit`: finds objects in a cluster that policies would deny.

import { sleep } from "@celadon/client";
import { REPORT_APIS, type ReportResult, ReportWriter } from "@celadon/cluster/audit";
import { nameOf } from "@celadon/kube";
import { impersonated, SimulatedCluster } from "@celadon/simulator";
import { type Manifest, roleOf } from "@celadon/simulator/manifests";
import { auditAll } from "../audit/audit-all.ts";
import { auditAnswer, rowsOf } from "../audit/audit-answer.ts";
import { impliedBindings } from "../inputs/bind-all.ts";
import { loadInputs, pathsOf, printNotes } from "../inputs/inputs.ts";
import { FILES, KUBE_VERSION_OR_CLUSTER, READING } from "../inputs/options.ts";
import { withUnread } from "../inputs/unread.ts";
import { clusterError, type FromCluster, openCluster } from "../live-cluster/from-cluster.ts";
import { FEATURE_GATES, gatesOf } from "../live-cluster/gates.ts";
import { CLUSTER } from "../live-cluster/options.ts";
import type { ReviewedObject } from "../outcome/reviewed.ts";
import { startProgress } from "../output/progress.ts";
import { remark } from "../output/say.ts";
import { writeAnswer } from "../output/write.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../program/command.ts";
import { EXIT, type ExitCode, UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { ineffectiveIn, ineffectiveNotes, isMistakeIn } from "../review/ineffective.ts";
import { neverAccepted, notInForceNotes } from "../review/written.ts";
import type { Loaded } from "../sources/index.ts";
import { parseKubeVersion } from "../sources/kube-version.ts";

// biome-ignore format: one option per line
const OPTIONS = [
  ...CLUSTER,
  { ...FILES, help: "policies, bindings and params to use instead of the cluster's: file, directory, glob, or - for standard input" },
  ...READING,
  { name: "bind-all",          help: "treat policies in -f that have no binding as bound to all requests, with action Deny" },
  { name: "namespace",         short: "n", value: "NAME", repeatable: true, help: "audit only this namespace, and no cluster-scoped objects" },
  { name: "exclude-namespace", value: "NAME", repeatable: true, help: "namespace to skip" },
  { name: "operation",         value: "OP", help: "operation to assume for each object; UPDATE assumes an update that changes nothing", choices: ["CREATE", "UPDATE"], strict: true, fallback: "CREATE" },
  { name: "schemas",           help: "validate custom resources against their CustomResourceDefinitions too" },
  { name: "as",                value: "USER",  help: "user to assume for each object",   fallback: "an administrator" },
  { name: "as-group",          value: "GROUP", help: "group of that user", repeatable: true },
  { name: "most",              value: "N", help: "number of objects to list in the report; all are counted",     fallback: "10000" },
  { name: "page-size",         value: "N", help: "number of objects to read at a time",            fallback: "500" },
  { name: "write-reports",     help: "write a report to the cluster for each object with problems; needs the CRDs of openreports.io or wgpolicyk8s.io" },
  { name: "every",             value: "DURATION", help: "repeat the audit at this interval, such as 30m or 6h, until stopped" },
  { name: "fail-on",           value: "WHAT", help: "when to exit with code 1; denied: if objects would be denied or policies cannot be read", choices: ["denied", "never"], strict: true, fallback: "denied" },
  FEATURE_GATES,
  KUBE_VERSION_OR_CLUSTER,
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "audit",
  summary: "find objects in a cluster that its policies, or new ones, would deny",
  failure: "an object would be denied, or policies cannot be read; never with --fail-on never",
  usage: "[-f POLICIES…] [flags]",
  about: `Reads the policies of a cluster with their bindings and params, or uses those in -f. Lists every resource that a policy may match,
and reports objects that would be denied, warned about or audited if they were created now. Memory use does not grow with the
cluster: objects are read in pages, and only problems are kept. Needs the right to list resources; resources that it may not list are
reported and skipped. If it may not read policies, or if a policy in -f is rejected or a mistake keeps it from ever matching,
the exit code is 1.`,
  options: OPTIONS,
  positionals: "files",
  examples: [
    { what: "audit the current context's cluster with its own policies", line: "celadon audit" },
    { what: "see what a new policy would deny", line: "celadon audit -f new-policy.yaml --bind-all" },
    { what: "audit a namespace in CI", line: "celadon audit -n shop -o junit=audit.xml -o sarif=audit.sarif" },
    {
      what: "write reports to the cluster every hour",
      line: "celadon audit --write-reports --every 1h --fail-on never",
    },
  ],
  run: audit,
});

async function audit(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const every = durationOf(args.text("every"));
  // A mistake in the flag is reported before anything is read.
  parseKubeVersion(args.text("kube-version"));
  const given = await policiesOf(args, io);
  if (every === undefined) return auditOnce(given, args, io);
  io.catchSignals();
  let exit: ExitCode = EXIT.ok;
  while (!io.signal.aborted) {
    try {
      exit = await auditOnce(given, args, io);
    } catch (error) {
      if (io.signal.aborted) break;
      // A request that fails once may succeed the next time.
      if (!(error instanceof UsageError)) throw error;
      remark(io, `error: ${error.message}`);
      exit = EXIT.usage;
    }
    await sleep(every, io.signal);
  }
  return exit;
}

async function auditOnce(policies: GivenPolicies | undefined, args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const given = policies?.manifests;
  const gates = gatesOf(args);
  const user = args.text("as");
  const cluster = await openCluster(args, io, {
    gates,
    policies: given === undefined,
    mutation: false,
    ...(given && { given }),
  });
  const progress = startProgress("auditing", args, io);
  try {
    const { minor, note } = cluster.version;
    const file = cluster.api.connection.server;
    const emulated = note === undefined || args.text("kube-version") !== undefined ? [] : [{ file, message: note }];
    printNotes([...cluster.rejected, ...emulated], args, io);
    const server = { kubeVersion: parseKubeVersion(args.text("kube-version"), minor), gates };
    const rejected = given === undefined ? [] : neverAccepted(SimulatedCluster.of(given, server), given);
    const isRejected = new Set(rejected.map(({ manifest }) => manifest));
    const written = (given ?? []).filter((manifest) => !isRejected.has(manifest));
    const simulated = SimulatedCluster.of([...cluster.manifests, ...written].filter(isAsked), {
      ...server,
      // Existing objects were accepted once.
      builtinValidation: false,
      serverDefaults: false,
      fieldValidation: "Ignore",
      unknownKinds: "ignore",
    });
    checkNamespaces(args.list("namespace"), simulated, cluster);
    const ineffective = await ineffectiveIn(simulated);
    printNotes([...notInForceNotes(rejected, server.kubeVersion), ...ineffectiveNotes(ineffective)], args, io);
    const [reports, ...older] = args.on("write-reports") ? await reportsOf(cluster) : [];
    const audited = await auditAll(simulated, cluster, {
      operation: (args.text("operation") ?? "CREATE") as "CREATE" | "UPDATE",
      ...(user !== undefined && { user: impersonated(user, args.list("as-group")) }),
      namespaces: args.list("namespace"),
      excludeNamespaces: args.list("exclude-namespace"),
      schemas: args.on("schemas"),
      most: args.number("most", { min: 0, max: 10_000_000 }) ?? 10_000,
      pageSize: args.number("page-size", { min: 1, max: 10_000 }) ?? 500,
      signal: io.signal,
      onProgress: (resource, objects) => progress.update(objects, objects, resource),
      ...(reports && { onFound: (reviewed: ReviewedObject) => report(reports, reviewed) }),
    });
    progress.end();
    // Objects that were not checked may be unchanged.
    const sawAll = audited.unread.length === 0 && args.list("namespace").length === 0;
    // Reports of an older API, from before the cluster had the newer one, are not written again: these go as a whole.
    if (sawAll) for (const writer of reports === undefined ? [] : [reports, ...older]) await writer.finish();
    if (reports !== undefined && !args.on("quiet")) {
      const { written, unchanged, deleted } = reports.counts;
      io.err.write(`reports: ${written} written, ${unchanged} unchanged, ${deleted} deleted\n`);
    }
    const failOnDenied = (args.text("fail-on") ?? "denied") === "denied";
    const answer = auditAnswer(audited, { cluster: cluster.api.connection.server, failOnDenied });
    const isMistaken = failOnDenied && (rejected.length > 0 || isMistakeIn(new Set(written), ineffective));
    const judged = isMistaken ? { ...answer, exit: EXIT.failed } : answer;
    return await writeAnswer(withUnread(judged, policies?.issues ?? []), args, io);
  } catch (error) {
    throw clusterError(error);
  } finally {
    progress.end();
    cluster.api.close();
  }
}

/** A misspelt namespace has no objects, and so no problems. */
function checkNamespaces(names: readonly string[], simulated: SimulatedCluster, { unread }: FromCluster): void {
  if (unread.some(({ group, resource }) => group === "" && resource === "namespaces")) return;
  const missing = names.find((name) => !simulated.hasNamespace(name));
  if (missing !== undefined) throw new UsageError(`the cluster has no namespace "${missing}"`);
}

/** Objects are reviewed as they are: mutation and webhooks for new objects do not run. */
function isAsked({ object }: Manifest): boolean {
  return !["mutatingPolicy", "mutatingBinding", "webhooks"].includes(roleOf(object));
}

/** Policies of files, with everything that belongs to them. */
type GivenPolicies = Pick<Loaded, "manifests" | "issues">;

/** Undefined where the cluster's own decide. */
async function policiesOf(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<GivenPolicies | undefined> {
  const paths = pathsOf(args);
  if (paths.length === 0) return undefined;
  const { manifests, issues } = await loadInputs(paths, "audit", args, io);
  if (!args.on("schemas") && !manifests.some(({ object }) => roleOf(object) === "policy")) {
    throw new UsageError(
      "the files in -f have no ValidatingAdmissionPolicy",
      "without -f, the policies of the cluster are used",
    );
  }
  const policies = args.on("bind-all") ? [...manifests, ...impliedBindings(manifests)] : manifests;
  const bound = new Set(
    policies.map(({ object }) => (object.spec as { readonly policyName?: string } | undefined)?.policyName),
  );
  const unbound = policies.filter(({ object }) => roleOf(object) === "policy" && !bound.has(nameOf(object)));
  printNotes(
    unbound.map(({ object, origin }) => ({
      file: origin?.file ?? "",
      message: `policy ${nameOf(object)} has no binding, so it is not enforced`,
      hint: "use --bind-all to audit with it anyway",
    })),
    args,
    io,
  );
  return { manifests: policies, issues };
}

/** Writers for every API of reports that the cluster serves; reports are written with the first. */
async function reportsOf({ api }: FromCluster): Promise<readonly ReportWriter[]> {
  const writers: ReportWriter[] = [];
  for (const kinds of REPORT_APIS) {
    const writer = new ReportWriter(api, kinds);
    if (await writer.start()) writers.push(writer);
  }
  if (writers.length > 0) return writers;
  const names = REPORT_APIS.map(({ reports: { group, resource } }) => `${resource}.${group}`);
  throw new UsageError(`the cluster does not serve ${names.join(" or ")}`, "install the CRDs of openreports.io first");
}

async function report(reports: ReportWriter, reviewed: ReviewedObject): Promise<void> {
  const { apiVersion, kind, namespace, name, uid } = reviewed.subject;
  if (uid === undefined) return;
  const results = rowsOf(reviewed, "").map(
    ({ policy, policyRule, rule, level, message }): ReportResult => ({
      policy: policy ?? rule,
      ...(policyRule !== undefined && { rule: policyRule }),
      result: level,
      message,
    }),
  );
  await reports.write({ apiVersion, kind, ...(namespace !== undefined && { namespace }), name, uid }, results);
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function durationOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const found = /^([1-9]\d{0,5})([smhd])$/.exec(text);
  if (found === null) throw new UsageError(`--every "${text}" is not a duration`, "such as 30s, 15m, 6h or 1d");
  return Number(found[1]) * UNITS[found[2]!]!;
}
