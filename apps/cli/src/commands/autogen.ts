// `celadon autogen`: policies for workloads, derived from policies for pods.

import { deriveWorkloads } from "@celadon/simulator";
import { stringify } from "yaml";
import { AUTOGEN_TITLE, KINDS, kindsOf } from "../autogen/flags.ts";
import type { Args, Command } from "../command.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { loadInputs, pathsOf } from "../inputs.ts";
import type { Io } from "../io.ts";
import { FILES } from "../options.ts";
import type { Result } from "../output/answer.ts";
import { unbroken } from "../output/visible.ts";
import { writeAnswer } from "../output/write.ts";

export const command: Command = {
  name: "autogen",
  summary: AUTOGEN_TITLE,
  usage: "[-f] PATH… [flags]",
  about: `Rewrites pod policies for the pod templates of workloads: Deployment, StatefulSet, DaemonSet, ReplicaSet, Job, CronJob and
others. Expressions are rewritten as trees, with variables, messages and match conditions; a policy whose meaning cannot be kept
is left out, and why is said. The derived policies and bindings are printed as YAML, ready to be applied; check and test derive
them by themselves with --autogen.`,
  options: [FILES, KINDS],
  positionals: "files",
  examples: [
    { what: "see what is derived", line: "celadon autogen -f policies/" },
    { what: "for some workloads", line: "celadon autogen -f policies/ --kinds Deployment,CronJob > derived.yaml" },
    { what: "decide with them", line: "celadon check -f policies/ -f deploy.yaml --autogen" },
  ],
  run: autogen,
};

async function autogen(args: Args, io: Io): Promise<ExitCode> {
  const kinds = kindsOf(args);
  const { manifests } = await loadInputs(pathsOf(args), "autogen", args, io);
  const { manifests: derived, skipped, notes } = deriveWorkloads(manifests, kinds);
  const objects = derived.map(({ object }) => object);
  if (!args.on("quiet")) {
    for (const { policy, message } of notes) io.err.write(`${unbroken(`note: policy ${policy}: ${message}`)}\n`);
    for (const { policy, kinds: left, message } of skipped) {
      io.err.write(`${unbroken(`left out: policy ${policy} for ${left.join(", ")}: ${message}`)}\n`);
    }
  }
  const results = skipped.map(
    ({ policy, code, message }): Result => ({
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
    {
      results,
      document: { apiVersion: "celadon.dev/v1", kind: "AutogenReport", derived: objects, skipped, notes },
      text: () =>
        objects.map((object) => `---\n${stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })}`).join(""),
      table: {
        columns: ["POLICY", "KINDS", "CODE", "MESSAGE"],
        rows: skipped.map(({ policy, kinds: left, code, message }) => [policy, left.join(","), code, message]),
      },
      exit: EXIT.ok,
    },
    args,
    io,
  );
}
