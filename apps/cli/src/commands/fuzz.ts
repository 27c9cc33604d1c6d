// `celadon fuzz`: generates valid objects that make an expression fail or cost too much.

import { expressionPath } from "@celadon/admission/explain";
import type { Binding, Policy } from "@celadon/admission/policy";
import { type KubeObject, nameOf } from "@celadon/kube";
import { SimulatedCluster } from "@celadon/simulator";
import { rulePath } from "@celadon/simulator/explain";
import { type Manifest, placeOf, type SetUpRole } from "@celadon/simulator/manifests";
import { DEFAULT_RUNS, type FuzzFinding, fuzzPolicies } from "@celadon/testing/fuzz";
import { type SuiteCase, suiteCases, suiteCaseYaml } from "../fuzz/fuzz-case.ts";
import { loadInputs, pathsOf, printNotes } from "../inputs/inputs.ts";
import { withNothingJudged } from "../inputs/nothing-judged.ts";
import { FILES, KUBE_VERSION, READING } from "../inputs/options.ts";
import { withUnread } from "../inputs/unread.ts";
import type { CommandReport, ReportRow, ShownPlace } from "../output/answer.ts";
import { frame } from "../output/frame.ts";
import { placeText } from "../output/place-text.ts";
import { startProgress } from "../output/progress.ts";
import { remark } from "../output/say.ts";
import { writeAnswer } from "../output/write.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../program/command.ts";
import { EXIT, type ExitCode, UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { neverAccepted, notInForceNotes } from "../review/written.ts";
import { parseKubeVersion } from "../sources/kube-version.ts";

// biome-ignore format: one option per line
const OPTIONS = [
  FILES,
  ...READING,
  { name: "seed",        value: "N", help: "seed of the generator; the same seed tries the same objects", fallback: "1" },
  { name: "runs",        value: "N", help: "number of objects to try per policy and kind, and per version of a CRD", fallback: String(DEFAULT_RUNS) },
  { name: "no-defaults", help: "do not apply the API server's defaults" },
  KUBE_VERSION,
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "fuzz",
  summary: "find valid objects that make an expression fail or exceed its budget",
  failure: "a failure was found, or a policy or CRD was rejected",
  usage: "[-f] PATH… [flags]",
  about: `Generates objects from the schemas of CRDs and of the kinds that policies match: missing optional fields, empty lists, unusual but
valid values, sizes at their limits. Reports objects that make an expression fail ("no such key") or exceed its budget, reduced to
the smallest that still does, each as a case for a test suite. Policies without a binding are treated as bound.
The exit code is 1 if there is such an object, or if an API server would reject a policy or CRD.`,
  options: OPTIONS,
  positionals: "files",
  examples: [
    { what: "fuzz a directory of policies and CRDs", line: "celadon fuzz -f policies/" },
    { what: "try more and different objects", line: "celadon fuzz -f policies/ --runs 5000 --seed 42" },
    { what: "annotate a pull request", line: "celadon fuzz -f policies/ -o github" },
  ],
  run: fuzz,
});

async function fuzz(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const seed = args.number("seed", { min: 0, max: 2 ** 31 - 1 }) ?? 1;
  const runs = args.number("runs", { min: 1, max: 10_000_000 }) ?? DEFAULT_RUNS;
  const kubeVersion = parseKubeVersion(args.text("kube-version"));
  const { manifests, issues } = await loadInputs(pathsOf(args), "fuzz", args, io);
  const simulated = SimulatedCluster.of(manifests, { kubeVersion });
  const rejected = neverAccepted(simulated, manifests);
  printNotes(notInForceNotes(rejected, kubeVersion), args, io);
  const taken = <T>(...roles: readonly SetUpRole[]): T[] =>
    simulated.manifests(...roles).flatMap(({ object }) => {
      const resource = simulated.inForce(object);
      return resource === undefined ? [] : [resource as T];
    });
  const policies = taken<Policy>("policy", "mutatingPolicy");
  const definitions = taken<KubeObject>("definition");
  if (policies.length + definitions.length === 0) {
    if (rejected.length > 0) throw new UsageError("an API server rejects all policies and CRDs in the inputs");
    throw new UsageError("no policies or CRDs in the inputs", "name them with -f: celadon fuzz -f policies/");
  }
  const progress = startProgress("fuzz", args, io);
  try {
    const report = await fuzzPolicies(
      {
        policies,
        bindings: taken<Binding>("binding", "mutatingBinding"),
        params: simulated.manifests("object").map(({ object }) => object),
        definitions,
      },
      {
        seed,
        runs,
        serverDefaults: !args.on("no-defaults"),
        kubeVersion,
        signal: io.signal,
        onProgress: async ({ done, total, subject }) => {
          progress.update(done, total, subject);
          await new Promise((resolve) => setImmediate(resolve));
        },
      },
    );
    progress.end();
    io.signal.throwIfAborted();
    if (!args.on("quiet")) {
      for (const { owner, message } of report.notes) remark(io, `note: ${owner.name}: ${message}`);
    }
    const found = answerOf(report, simulated, !args.on("no-defaults"));
    const answer =
      report.tried > 0
        ? found
        : withNothingJudged(found, { message: "no object could be made for the policies and CRDs" });
    const judged = rejected.length > 0 ? { ...answer, exit: EXIT.failed } : answer;
    return await writeAnswer(withUnread(judged, issues), args, io);
  } finally {
    progress.end();
  }
}

interface Sited {
  readonly finding: FuzzFinding;
  readonly test: SuiteCase;
  readonly place?: ShownPlace;
  readonly manifest?: Manifest;
  readonly path: readonly (string | number)[];
}

function answerOf(
  report: Awaited<ReturnType<typeof fuzzPolicies>>,
  simulated: SimulatedCluster,
  serverDefaults: boolean,
): CommandReport {
  const tests = suiteCases(report.findings, serverDefaults);
  const sited = report.findings.map((finding, i) => siteOf(finding, tests[i]!, simulated));
  const { tried, seed } = report;
  return {
    results: sited.map(
      ({ finding, test, place }): ReportRow => ({
        group: place?.file ?? finding.owner.name,
        name: `${finding.owner.name} · ${finding.expression.kind}[${finding.expression.index}]`,
        level: "fail",
        rule: `fuzz/${finding.problem}`,
        message: `${finding.message} (${consequence(finding)})`,
        detail: suiteCaseYaml(test),
        ...(place && { place }),
        policy: finding.owner.name,
        system: finding.expression.kind === "rule" ? "rules" : "policy",
      }),
    ),
    document: {
      apiVersion: "celadon.dev/v1",
      kind: "FuzzReport",
      seed,
      tried,
      invalid: report.invalid,
      findings: sited.map(({ finding, test, place }) => ({ ...finding, ...(place && { place }), test })),
      notes: report.notes,
    },
    text: (paint) => {
      const blocks = sited.map(({ finding, test, place, manifest }) => {
        const title = `${finding.message}`;
        const shown =
          place === undefined
            ? `${paint.red(title)}\n`
            : frame({ ...place, message: title, text: (line) => manifest?.origin?.lineText(line), paint });
        const { kind, index, text } = finding.expression;
        const about = `  ${finding.owner.name}: ${kind}[${index}], ${consequence(finding)}`;
        const expression = place === undefined ? `  ${text}\n` : "";
        return `${shown}${expression}${about}\n${indent(suiteCaseYaml(test))}`;
      });
      const tally = `${tried} objects tried with seed ${seed}, ${sited.length} ${sited.length === 1 ? "problem" : "problems"}`;
      return `${blocks.join("\n")}${blocks.length > 0 ? "\n" : ""}${sited.length > 0 ? paint.red(tally) : paint.green(tally)}\n`;
    },
    table: {
      columns: ["OWNER", "EXPRESSION", "PROBLEM", "MESSAGE", "PLACE"],
      rows: sited.map(({ finding, place }) => [
        finding.owner.name,
        `${finding.expression.kind}[${finding.expression.index}]`,
        finding.problem,
        finding.message,
        place ? placeText(place) : "",
      ]),
    },
    exit: sited.length > 0 ? EXIT.failed : EXIT.ok,
  };
}

function consequence({ failurePolicy, problem, case: input }: FuzzFinding): string {
  const when = `on ${input.operation} of ${input.kind.kind}`;
  if (failurePolicy === undefined) return `${when}: the object is rejected`;
  if (failurePolicy === "Ignore") return `${when}: failurePolicy Ignore allows it unchecked`;
  return `${when}: failurePolicy Fail denies it${problem === "error" ? "" : ", whatever the result would be"}`;
}

function siteOf(finding: FuzzFinding, test: SuiteCase, simulated: SimulatedCluster): Sited {
  const { owner, position } = finding;
  const manifest = simulated
    .manifests("definition", "policy", "mutatingPolicy")
    .find(({ object }) => object.kind === owner.kind && nameOf(object) === owner.name);
  const path = pathOf(finding, manifest);
  if (manifest === undefined) return { finding, test, path };
  const found = manifest.origin?.positionIn(path, position?.offset ?? 0);
  const place = found ? { file: found.file, line: found.line, column: found.column } : placeOf(manifest, path);
  return { finding, test, path, manifest, ...(place && { place }) };
}

function pathOf({ expression }: FuzzFinding, manifest: Manifest | undefined): readonly (string | number)[] {
  const { kind, index, version, schemaPath } = expression;
  if (schemaPath !== undefined) {
    const spec = manifest?.object.spec as { versions?: readonly { name?: string }[] } | undefined;
    const at = spec?.versions?.findIndex(({ name }) => name === version) ?? 0;
    return rulePath(Math.max(at, 0), { schemaPath, index, kind: kind === "rule" ? "rule" : "messageExpression" });
  }
  return kind === "rule" ? [] : expressionPath(kind, index);
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "    ");
}
