// `celadon why`: why a cluster's policies would deny, or allow, an object that it has.

import type { Operation } from "@celadon/admission";
import { impersonated, SimulatedCluster } from "@celadon/simulator";
import { roleOf } from "@celadon/simulator/manifests";
import { explainAnswer } from "../../explain/explain-answer.ts";
import { type ExplainedSubject, explainSubject } from "../../explain/explained.ts";
import { shownPolicies } from "../../explain/shown-policies.ts";
import { printNotes } from "../../inputs/inputs.ts";
import { KUBE_VERSION_OR_CLUSTER } from "../../inputs/options.ts";
import { namedObjectsOf, objectOf } from "../../live-cluster/find-object.ts";
import { clusterError, openCluster, unreadText } from "../../live-cluster/from-cluster.ts";
import { FEATURE_GATES, gatesOf } from "../../live-cluster/gates.ts";
import { CLUSTER } from "../../live-cluster/options.ts";
import { podOf } from "../../live-cluster/pod-of.ts";
import { writeAnswer } from "../../output/write.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../../program/command.ts";
import { EXIT, type ExitCode, UsageError } from "../../program/exit.ts";
import type { Io } from "../../program/io.ts";
import type { ReviewSubject } from "../../review/subjects.ts";
import { parseKubeVersion } from "../../sources/kube-version.ts";

// biome-ignore format: one option per line
const OPTIONS = [
  ...CLUSTER,
  { name: "namespace", short: "n", value: "NAME", help: "namespace of the objects", fallback: "the context's" },
  { name: "operation", value: "OP", help: "operation to assume; UPDATE assumes an update that changes nothing", choices: ["CREATE", "UPDATE", "DELETE"], strict: true, fallback: "CREATE" },
  { name: "as",        value: "USER",  help: "user to assume", fallback: "an administrator" },
  { name: "as-group",  value: "GROUP", help: "group of that user", repeatable: true },
  { name: "policy",    value: "NAME", repeatable: true, help: "show only this policy" },
  { name: "verbose",   short: "v", help: "show the parts of true expressions and of all variables too" },
  FEATURE_GATES,
  KUBE_VERSION_OR_CLUSTER,
] as const satisfies readonly Option[];

/** Words of the question, which may be left out. */
const WORDS: ReadonlySet<string> = new Set(["deny", "denied", "allow", "allowed"]);

export const command: Command = defineCommand({
  name: "why",
  summary: "show why a cluster's policies would deny or allow an object that it has",
  usage: "[deny|allow] TYPE/NAME… [flags]",
  about: `Reads objects from a cluster, and its policies with their bindings and params, and shows how each policy would answer if the object
were created now: which part of which expression decides, the values it reads, and why a policy does not apply. For a Deployment, a Job
or another workload, it also shows how the policies answer its pods, which are denied later and silently. It only reads.

As a plugin of kubectl, it is \`kubectl celadon why\`.`,
  options: OPTIONS,
  // Words for completion; names of objects come from the cluster.
  positionals: ["deny", "allow"],
  examples: [
    { what: "show why a pod would be denied now", line: "celadon why deny pod/web" },
    { what: "show why the pods of a Deployment are not created", line: "celadon why deny deploy/web -n shop" },
    {
      what: "show why a policy does not apply, in another context",
      line: "celadon why allow pod web --policy no-latest --context staging",
    },
  ],
  run: why,
});

async function why(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const [first = "", ...rest] = args.positionals;
  const names = namedObjectsOf(WORDS.has(first) ? rest : args.positionals);
  if (names.length === 0) throw new UsageError("no object given", "name one: celadon why deny pod/NAME");
  const gates = gatesOf(args);
  const cluster = await openCluster(args, io, { gates, policies: true, mutation: false });
  try {
    const file = cluster.api.connection.server;
    const { minor, note } = cluster.version;
    const unread = cluster.unread.map((item) => ({ file, message: unreadText(item) }));
    const emulated = note === undefined || args.text("kube-version") !== undefined ? [] : [{ file, message: note }];
    printNotes([...unread, ...cluster.rejected, ...emulated], args, io);
    const simulated = SimulatedCluster.of(
      cluster.manifests.filter(({ object }) => !OTHERS.has(roleOf(object))),
      {
        kubeVersion: parseKubeVersion(args.text("kube-version"), minor),
        gates,
        // Existing objects were accepted once.
        builtinValidation: false,
        serverDefaults: false,
        fieldValidation: "Ignore",
        unknownKinds: "ignore",
      },
    );
    const only = shownPolicies(args.list("policy"), simulated);
    const namespace = args.text("namespace") ?? cluster.api.connection.namespace;
    const subjects: ExplainedSubject[] = [];
    for (const named of names) {
      for (const subject of subjectsOf(await objectOf(named, cluster, namespace), args))
        subjects.push(await explainSubject(simulated, subject, undefined, only));
    }
    const answer = await explainAnswer(subjects, simulated, {
      verbose: args.on("verbose"),
      notes: !args.on("quiet"),
      nothing: "",
      exit: EXIT.ok,
    });
    return await writeAnswer(answer, args, io);
  } catch (error) {
    throw clusterError(error);
  } finally {
    cluster.api.close();
  }
}

/** Only policies are explained: mutation and webhooks do not run. */
const OTHERS: ReadonlySet<string> = new Set(["mutatingPolicy", "mutatingBinding", "webhooks"]);

/** The object, and the pod that its controller would create. */
function subjectsOf(object: ReviewSubject["manifest"]["object"], args: ArgsOf<typeof OPTIONS>): ReviewSubject[] {
  const operation = (args.text("operation") ?? "CREATE") as Operation;
  const name = args.text("as");
  const user = name === undefined ? {} : { user: impersonated(name, args.list("as-group")) };
  const before = operation === "UPDATE" ? { oldObject: object } : {};
  const itself = { manifest: { object }, ask: { object, operation, ...before, ...user } };
  const made = operation === "DELETE" ? undefined : podOf(object);
  if (made === undefined) return [itself];
  const pod = { manifest: { object: made.pod }, ask: { object: made.pod, user: impersonated(made.user, []) } };
  return [itself, pod];
}
