// `celadon manifests approver`: what installs the approver.

import { approverManifests } from "@celadon/cluster/manifests";
import { MANIFEST_OPTIONS, REPLICAS, settingsOf } from "../../manifests/options.ts";
import { manifestText } from "../../manifests/text.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../../program/command.ts";
import { EXIT, type ExitCode } from "../../program/exit.ts";
import type { Io } from "../../program/io.ts";

// biome-ignore format: one option per line
const OPTIONS = [
  ...MANIFEST_OPTIONS,
  REPLICAS,
  { name: "signer", value: "NAME", help: "signer to approve requests for, such as issuers.cert-manager.io/*; all by default", repeatable: true },
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "manifests approver",
  summary: "print manifests that install celadon approver",
  usage: "[flags]",
  about: `Prints YAML for kubectl apply --server-side or kustomize: Namespace, the CustomResourceDefinition of CertificateRequestPolicies,
roles with least privilege, Deployment, PodDisruptionBudget and Service. Install cert-manager first, with its own approver disabled.`,
  options: OPTIONS,
  plain: true,
  examples: [
    { what: "install", line: "celadon manifests approver -n cert-manager | kubectl apply --server-side -f -" },
    {
      what: "approve for namespaced issuers only",
      line: "celadon manifests approver --signer 'issuers.cert-manager.io/*'",
    },
  ],
  run,
});

async function run(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const settings = { ...settingsOf(args, "celadon-approver"), signers: args.list("signer") };
  io.out.write(manifestText(approverManifests(settings)));
  return EXIT.ok;
}
