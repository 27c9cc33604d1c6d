// `celadon init`: policies of the catalogue as files to begin with.

import { nearestName } from "@celadon/base";
import { type CatalogueEntry, chosenFrom, readCatalogue } from "../../catalogue/catalogue.ts";
import { type OutFile, writeOut } from "../../convert/write-out.ts";
import type { CommandReport } from "../../output/answer.ts";
import { remark } from "../../output/say.ts";
import { writeAnswer } from "../../output/write.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../../program/command.ts";
import { EXIT, type ExitCode, UsageError } from "../../program/exit.ts";
import type { Io } from "../../program/io.ts";
import { ownDirectory } from "../../program/own-directory.ts";

// biome-ignore format: one option per line
const OPTIONS = [
  { name: "dir", short: "d", value: "DIR", help: "directory to write to", fallback: "policies", choices: "files" },
  { name: "force",                         help: "overwrite existing files" },
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "init",
  summary: "list the policies of the catalogue, or write some of them to start with",
  usage: "[NAME…] [flags]",
  about: `Without names, lists the catalogue: everyday policies, each with a binding, a test suite that detects every change of it, and params
where a limit is yours to choose. With names of policies or categories, writes them below --dir, a directory for each policy. Nothing is
written if a file already exists.

The policies deny from the first day. To see what they would deny, run \`celadon check\` or \`celadon audit\` first, or set
validationActions to [Warn, Audit]. Policies for pods concern workloads too with \`celadon autogen\`. See docs/reference/catalogue.md
for all policies.`,
  options: OPTIONS,
  examples: [
    { what: "list the policies", line: "celadon init" },
    { what: "write two policies", line: "celadon init no-latest-tag memory-limits" },
    {
      what: "write the restricted pod security standard, which includes the baseline",
      line: "celadon init pod-security-baseline pod-security-restricted",
    },
    { what: "list the policies with their descriptions", line: "celadon init -o json" },
  ],
  run: init,
});

async function init(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const catalogue = readCatalogue(ownDirectory("catalogue"));
  if (args.positionals.length === 0) return writeAnswer(listing(catalogue), args, io);
  const { chosen, unknown } = chosenFrom(catalogue, args.positionals);
  if (unknown.length > 0)
    throw new UsageError(`no policy or category "${unknown[0]}"`, adviceFor(unknown[0]!, catalogue));
  const files = chosen.flatMap(({ name, files }) =>
    [...files].map(([file, text]): OutFile => ({ path: `${name}/${file}`, text })),
  );
  const directory = args.text("dir") ?? "policies";
  await writeOut(directory, files, args.on("force"), io);
  if (!args.on("quiet")) {
    const withParams = chosen.filter((entry) => entry.files.has("params.yaml"));
    remark(io, `wrote ${chosen.length} ${chosen.length === 1 ? "policy" : "policies"} to ${directory}`);
    for (const { name } of withParams) remark(io, `set your own values in ${directory}/${name}/params.yaml`);
    remark(io, `next: celadon test ${directory}, then celadon check -f ${directory} -f YOUR-MANIFESTS`);
  }
  return EXIT.ok;
}

function adviceFor(word: string, catalogue: readonly CatalogueEntry[]): string {
  const known = catalogue.flatMap(({ name, category }) => [name, category]);
  const near = nearestName(word, known);
  return near === undefined ? "`celadon init` lists them" : `did you mean "${near}"? \`celadon init\` lists all`;
}

/** Names have at most 27 characters. */
const NAME_COLUMNS = 29;

function listing(catalogue: readonly CatalogueEntry[]): CommandReport {
  const categories = [...new Set(catalogue.map(({ category }) => category))];
  return {
    results: [],
    document: {
      apiVersion: "celadon.dev/v1",
      kind: "PolicyCatalogue",
      policies: catalogue.map(({ name, category, title, description, files }) => ({
        name,
        category,
        title,
        description,
        files: [...files.keys()],
      })),
    },
    text: (paint) => {
      const parts = categories.map((category) => {
        const rows = catalogue.filter((entry) => entry.category === category);
        const lines = rows.map(({ name, title }) => `  ${name.padEnd(NAME_COLUMNS)}${title}\n`);
        return `${paint.bold(category)}\n${lines.join("")}`;
      });
      return `${parts.join("\n")}\n${catalogue.length} policies; \`celadon init NAME…\` writes them, by their names or categories\n`;
    },
    table: {
      columns: ["category", "name", "title"],
      rows: catalogue.map(({ category, name, title }) => [category, name, title]),
    },
    exit: EXIT.ok,
  };
}
