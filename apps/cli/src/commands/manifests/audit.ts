// `celadon manifests audit`: what installs a regular audit.

import { auditManifests } from "@celadon/cluster/manifests";
import { MANIFEST_OPTIONS, settingsOf } from "../../manifests/options.ts";
import { manifestText } from "../../manifests/text.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../../program/command.ts";
import { EXIT, type ExitCode } from "../../program/exit.ts";
import type { Io } from "../../program/io.ts";

// biome-ignore format: one option per line
const OPTIONS = [
  ...MANIFEST_OPTIONS,
  { name: "schedule",      value: "CRON", help: "when to audit, as a cron schedule",                                            fallback: "0 * * * *" },
  { name: "write-reports",                help: "write PolicyReports to the cluster" },
  { name: "resource",      value: "RESOURCE.GROUP", help: "further resource that the audit may list, besides workloads; * for all", repeatable: true },
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "manifests audit",
  summary: "print manifests that run celadon audit on a schedule",
  usage: "[flags]",
  about: `Prints YAML for kubectl apply --server-side or kustomize: Namespace, roles that may only list, and a CronJob. To let the audit list
more kinds, add a ClusterRole with the label celadon.dev/aggregate-to-audit: "true". Resources that may not be listed are reported.`,
  options: OPTIONS,
  plain: true,
  examples: [
    {
      what: "audit every six hours, with reports in the cluster",
      line: "celadon manifests audit --schedule '0 */6 * * *' --write-reports",
    },
    { what: "audit all resources", line: "celadon manifests audit --resource '*'" },
  ],
  run,
});

async function run(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const settings = {
    ...settingsOf(args, "celadon-audit"),
    schedule: args.text("schedule") ?? "0 * * * *",
    writeReports: args.on("write-reports"),
    resources: args.list("resource"),
  };
  io.out.write(manifestText(auditManifests(settings)));
  return EXIT.ok;
}
