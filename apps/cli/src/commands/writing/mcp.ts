// `celadon mcp`: the commands that help to write policies, for assistants.

import { documentsBelow } from "../../mcp/documents.ts";
import { invoke } from "../../mcp/invoke.ts";
import { TOOLS } from "../../mcp/tools.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../../program/command.ts";
import { EXIT, type ExitCode, UsageError } from "../../program/exit.ts";
import type { Io } from "../../program/io.ts";
import { ownDirectory } from "../../program/own-directory.ts";
import { VERSION } from "../../program/version.ts";

// biome-ignore format: one option per line
const OPTIONS = [
  { name: "allow", value: "DIR",     repeatable: true, help: "directory whose files may be read", fallback: "the working directory", choices: "files" },
  { name: "timeout", value: "SECONDS",                 help: "time limit of one answer", fallback: "60" },
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "mcp",
  summary: "serve check, explain, test, lint, cost and prove to assistants, over the Model Context Protocol",
  usage: "[flags]",
  about: `Speaks the Model Context Protocol over standard input and output; an assistant starts it. Its tools answer with the semantics of
kube-apiserver, so that an assistant can test a policy before it proposes it; its resources are the guides and the reference. Every
answer is made by a process of its own with limits of time, memory and output. It reads files only below the allowed directories, writes
none, and uses no network. See docs/guides/assistants.md for how to register it, and for a skill that writes policies test-first.`,
  options: OPTIONS,
  plain: true,
  examples: [
    { what: "start the server, as assistants do", line: "celadon mcp" },
    { what: "let it read two directories alone", line: "celadon mcp --allow policies --allow manifests" },
  ],
  run: mcp,
});

/** About 30,000 tokens. */
const ANSWER_CHARACTERS = 100_000;

const INSTRUCTIONS = `Tools that answer as kube-apiserver would, about ValidatingAdmissionPolicies, MutatingAdmissionPolicies, CRD rules and webhooks.
Before proposing a policy: write a TestSuite with cases that must be denied and allowed, run test, then test with mutation until every change
is detected, then lint and cost. Read celadon://reference/test-format.md for the format of suites.`;

async function mcp(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const seconds = args.number("timeout", { min: 1, max: 3600 }) ?? 60;
  const directories: string[] = [];
  for (const path of args.list("allow").length > 0 ? args.list("allow") : ["."]) {
    if ((await io.files.kind(path)) !== "directory") throw new UsageError(`--allow ${path} is not a directory`);
    directories.push(await io.files.real(path));
  }
  const bounds = { directories, milliseconds: seconds * 1000, characters: ANSWER_CHARACTERS };
  const { serveStdio } = await import("../../mcp/serve.ts");
  await serveStdio({
    version: VERSION,
    instructions: INSTRUCTIONS,
    tools: TOOLS,
    documents: documentsBelow(ownDirectory("dist/docs")),
    answer: (invocation, signal) => invoke(invocation, bounds, io, signal),
  });
  return EXIT.ok;
}
