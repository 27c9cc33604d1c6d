// The commands, in the order help shows them. A command's file is loaded when it runs; its summary is repeated here, so that
// `celadon help` loads none. A test compares the two.

import type { CommandEntry } from "../program/command.ts";

// biome-ignore format: one verb per line
export const verbs: readonly CommandEntry[] = [
  { name: "init",    summary: "list the policies of the catalogue, or write some of them to start with", load: () => import("./writing/init.ts") },
  { name: "eval",    summary: "evaluate an expression: value, type and cost",                          load: () => import("./eval.ts") },
  { name: "check",   summary: "check objects against policies, CRDs and webhooks as an API server would", load: () => import("./check.ts") },
  { name: "mutate",  summary: "print objects as they would be stored, after mutating policies and webhooks", load: () => import("./mutate.ts") },
  { name: "test",       summary: "run test suites for policies, CRD rules, webhooks and certificate policies", load: () => import("./test.ts") },
  { name: "explain", summary: "show why an object is denied, allowed or ignored",                load: () => import("./explain.ts") },
  { name: "cost",    summary: "show estimated and measured costs of expressions against their limits", load: () => import("./cost.ts") },
  { name: "lint",    summary: "find mistakes in policies, bindings, webhooks and CRDs", load: () => import("./lint.ts") },
  { name: "fuzz", summary: "find valid objects that make an expression fail or exceed its budget", load: () => import("./fuzz.ts") },
  { name: "authenticate", summary: "show the user that an AuthenticationConfiguration makes of a token's claims", load: () => import("./access/authenticate.ts") },
  { name: "prove", summary: "find what policies do for all objects: errors, rules that always or never hold", load: () => import("./prove.ts") },
  { name: "fmt", summary: "format the CEL expressions in YAML files", load: () => import("./fmt.ts") },
  { name: "autogen", summary: "derive policies for workloads from policies for pods", load: () => import("./autogen.ts") },
  { name: "diff",    summary: "show which verdicts change between two sets of policies or CRDs", load: () => import("./diff.ts") },
  { name: "config", summary: "show the configuration in force, and which line of celadon.yaml says so", load: () => import("./config.ts") },
  { name: "convert", summary: "convert test suites and policies from other tools", load: () => import("./convert.ts") },
  { name: "crd upgrade", summary: "find objects that a new CustomResourceDefinition would reject or change", load: () => import("./crd-upgrade.ts") },
  { name: "up", summary: "run a Kubernetes API server that enforces policies in process", load: () => import("./up.ts") },
  { name: "envtest-assets", summary: "write stand-ins for the programs that controller-runtime's envtest starts", load: () => import("./envtest/assets.ts") },
  { name: "store backup", summary: "back up a server's objects to a file, even while it runs", load: () => import("./store/backup.ts") },
  { name: "store restore", summary: "restore a backup into an empty data directory", load: () => import("./store/restore.ts") },
  { name: "store check", summary: "check a server's store, or backups, for damage", load: () => import("./store/check.ts") },
  { name: "audit", summary: "find objects in a cluster that its policies, or new ones, would deny", load: () => import("./audit.ts") },
  { name: "why", summary: "show why a cluster's policies would deny or allow an object that it has", load: () => import("./live/why.ts") },
  { name: "lsp", summary: "run the language server: diagnostics, completion, hover and fixes for CEL in YAML", load: () => import("./lsp.ts") },
  { name: "mcp", summary: "serve check, explain, test, lint, cost and prove to assistants, over the Model Context Protocol", load: () => import("./writing/mcp.ts") },
  { name: "playground", summary: "serve the playground: try policies, rules and CEL in the browser", load: () => import("./playground.ts") },
  { name: "webhook", summary: "enforce policies in a cluster through admission webhooks", load: () => import("./webhook.ts") },
  { name: "approver", summary: "approve or deny cert-manager CertificateRequests by policy", load: () => import("./approver.ts") },
  { name: "manifests webhook", summary: "print manifests that install celadon webhook", load: () => import("./manifests/webhook.ts") },
  { name: "manifests approver", summary: "print manifests that install celadon approver", load: () => import("./manifests/approver.ts") },
  { name: "manifests audit", summary: "print manifests that run celadon audit on a schedule", load: () => import("./manifests/audit.ts") },
  { name: "manifests chart", summary: "write a Helm chart for webhook, approver and audit", load: () => import("./manifests/chart.ts") },
  { name: "completion", summary: "print a shell completion script", load: async () => ({ command: (await import("./completion.ts")).completionCommand(verbs) }) },
  { name: "help",    summary: "list the commands, or show the help of one",                        load: async () => ({ command: (await import("./help.ts")).helpCommand(verbs) }) },
  { name: "version", summary: "show the version and the Kubernetes versions it supports", load: () => import("./version.ts") },
];
