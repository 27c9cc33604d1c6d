// `celadon autogen`: policies for workloads, derived from policies for pods.

import { deriveWorkloads } from "@celadon/simulator/manifests";
import { AUTOGEN_TITLE, KINDS, kindsOf } from "../inputs/autogen-flags.ts";
import { loadInputs, pathsOf } from "../inputs/inputs.ts";
import { FILES, READING } from "../inputs/options.ts";
import { withUnread } from "../inputs/unread.ts";
import type { ReportRow } from "../output/answer.ts";
import { toYaml } from "../output/format/yaml.ts";
import { remark } from "../output/say.ts";
import { writeAnswer } from "../output/write.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../program/command.ts";
import { EXIT, type ExitCode, UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";

const OPTIONS = [FILES, ...READING, KINDS] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "autogen",
  summary: AUTOGEN_TITLE,
  usage: "[-f] PATH… [flags]",
  about: `Rewrites policies for pods so that they check the pod templates of workloads: Deployment, StatefulSet, DaemonSet, ReplicaSet, Job,
CronJob and others. Variables, messages and match conditions are rewritten too. A policy that cannot be rewritten without changing its
meaning is skipped, with the reason. Prints the derived policies and bindings as YAML, ready to apply. check and test derive them
on the fly with --autogen.`,
  options: OPTIONS,
  positionals: "files",
  examples: [
    { what: "print the derived policies", line: "celadon autogen -f policies/" },
    {
      what: "derive for some workloads only",
      line: "celadon autogen -f policies/ --kinds Deployment,CronJob > derived.yaml",
    },
    { what: "check with derived policies", line: "celadon check -f policies/ -f deploy.yaml --autogen" },
  ],
  run: autogen,
});

async function autogen(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const kinds = kindsOf(args);
  const { manifests, issues } = await loadInputs(pathsOf(args), "autogen", args, io);
  const { manifests: derived, skipped, notes } = deriveWorkloads(manifests, kinds);
  if (derived.length + skipped.length === 0)
    throw new UsageError("no policies in the inputs", "name them with -f: celadon autogen -f policies/");
  const objects = derived.map(({ object }) => object);
  if (!args.on("quiet")) {
    // The same is noted of policies for several kinds.
    const texts = new Set(notes.map(({ policy, message }) => `note: policy ${policy}: ${message}`));
    for (const text of texts) remark(io, text);
    for (const { policy, kinds: left, message } of skipped) {
      remark(io, `skipped: policy ${policy} for ${left.join(", ")}: ${message}`);
    }
  }
  const results = skipped.map(
    ({ policy, code, message }): ReportRow => ({
      group: policy,
      name: `${policy} · ${code}`,
      level: "warn",
      rule: `autogen/${code}`,
      message,
      policy,
      system: "policy",
    }),
  );
  return writeAnswer(
    withUnread(
      {
        results,
        document: { apiVersion: "celadon.dev/v1", kind: "AutogenReport", derived: objects, skipped, notes },
        text: () => objects.map((object) => `---\n${toYaml(object)}`).join(""),
        table: {
          columns: ["POLICY", "KINDS", "CODE", "MESSAGE"],
          rows: skipped.map(({ policy, kinds: left, code, message }) => [policy, left.join(","), code, message]),
        },
        exit: EXIT.ok,
      },
      issues,
      { textIsYaml: true },
    ),
    args,
    io,
  );
}
