// `celadon manifests chart`: the manifests as a Helm chart.

import { join } from "node:path";
import { chartFiles } from "../../manifests/chart.ts";
import { say } from "../../output/say.ts";
import { writeFiles } from "../../output/write.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../../program/command.ts";
import { EXIT, type ExitCode, UsageError } from "../../program/exit.ts";
import type { Io } from "../../program/io.ts";
import { VERSION } from "../../program/version.ts";

const OPTIONS = [] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "manifests chart",
  summary: "write a Helm chart for webhook, approver and audit",
  usage: "DIRECTORY",
  about: `Writes Chart.yaml, values.yaml and templates with the objects that the other manifests commands print. The values webhook.enabled,
approver.enabled and audit.enabled choose what is installed.`,
  options: OPTIONS,
  plain: true,
  positionals: "files",
  examples: [
    {
      what: "write the chart and install it",
      line: "celadon manifests chart chart/ && helm install celadon chart/ -n celadon",
    },
  ],
  run,
});

async function run(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const [directory, ...more] = args.positionals;
  if (directory === undefined || more.length > 0)
    throw new UsageError("expected one directory", "celadon manifests chart DIRECTORY");
  const files = [...chartFiles(VERSION)].map(([path, text]) => [join(directory, path), text] as const);
  await writeFiles(new Map(files), io);
  for (const [path] of files) say(io, path);
  return EXIT.ok;
}
