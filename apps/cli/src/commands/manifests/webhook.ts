// `celadon manifests webhook`: what installs the webhook.

import { isIP } from "node:net";
import { webhookManifests } from "@celadon/cluster/manifests";
import { AUTHORIZER_SOURCES, type AuthorizerSource, OWN_GROUP, type PolicyGroup } from "@celadon/cluster/webhook";
import { MANIFEST_OPTIONS, REPLICAS, settingsOf } from "../../manifests/options.ts";
import { manifestText } from "../../manifests/text.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../../program/command.ts";
import { EXIT, type ExitCode, UsageError } from "../../program/exit.ts";
import type { Io } from "../../program/io.ts";

const GROUPS: readonly PolicyGroup[] = ["admissionregistration.k8s.io", OWN_GROUP];

// biome-ignore format: one option per line
const OPTIONS = [
  ...MANIFEST_OPTIONS,
  REPLICAS,
  { name: "group",          value: "GROUP",          help: "API group of the policies; Celadon's own group includes its CRDs", choices: GROUPS, strict: true, repeatable: true, fallback: OWN_GROUP },
  { name: "param-resource", value: "RESOURCE.GROUP", help: "further resource that params may be, besides ConfigMaps; allows the webhook to read it",       repeatable: true },
  { name: "events",                                  help: "write Events for denied requests" },
  { name: "from",           value: "CIDR",           help: "addresses from which API servers and the probes of nodes come; the NetworkPolicy keeps out all others", repeatable: true },
  { name: "authorizer",     value: "SOURCE",         help: "source for authorizer in expressions; rbac lets the webhook read roles", choices: AUTHORIZER_SOURCES, strict: true, fallback: "access-reviews" },
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "manifests webhook",
  summary: "print manifests that install celadon webhook",
  usage: "[flags]",
  about: `Prints YAML for kubectl apply --server-side or kustomize: Namespace, CustomResourceDefinitions, roles with least privilege,
Deployment with probes and a restricted security context, NetworkPolicy, PodDisruptionBudget and Service. The webhook creates its certificates and
webhook configurations itself. To let it read more kinds of params, add a ClusterRole with the label
celadon.dev/aggregate-to-webhook: "true".`,
  options: OPTIONS,
  plain: true,
  examples: [
    { what: "install", line: "celadon manifests webhook | kubectl apply --server-side -f -" },
    {
      what: "install in a cluster that has the policy kinds but does not enforce them",
      line: "celadon manifests webhook --group admissionregistration.k8s.io",
    },
    { what: "install so that an outage blocks no requests", line: "celadon manifests webhook --arg=--safe-mode" },
  ],
  run,
});

async function run(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const groups =
    args.list("group").length > 0 ? (args.list("group") as readonly PolicyGroup[]) : [OWN_GROUP as PolicyGroup];
  const settings = {
    groups,
    paramResources: args.list("param-resource"),
    events: args.on("events"),
    sources: args.list("from").map((cidr) => checkedRange(cidr)),
    authorizer: (args.text("authorizer") ?? "access-reviews") as AuthorizerSource,
  };
  io.out.write(manifestText(webhookManifests({ ...settingsOf(args, "celadon-webhook"), ...settings })));
  return EXIT.ok;
}

function checkedRange(cidr: string): string {
  const [address = "", bits = "", ...rest] = cidr.split("/");
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most) return cidr;
  throw new UsageError(`--from "${cidr}" is not a range of addresses`, "such as 10.0.0.0/24 or fd00::/64");
}
