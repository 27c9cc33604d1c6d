// `celadon envtest-assets`: a directory for KUBEBUILDER_ASSETS, so that suites of kubebuilder projects run on Celadon unchanged.

import { accessSync, constants, existsSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { makeDirectory } from "@celadon/storage/directory";
import { MARK, standIns } from "../../envtest/stand-ins.ts";
import { nodeFiles } from "../../io-node.ts";
import { say } from "../../output/say.ts";
import { unwritable, writeFiles } from "../../output/write.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../../program/command.ts";
import { EXIT, type ExitCode, UsageError } from "../../program/exit.ts";
import type { Io } from "../../program/io.ts";
import { servedVersion } from "../../up/served-version.ts";

// biome-ignore format: one option per line
const OPTIONS = [
  { name: "kube-version", value: "VERSION", help: "Kubernetes version to emulate, such as 1.32; ENVTEST_K8S_VERSION goes first", fallback: "the newest" },
  { name: "force", help: "replace files that were not written by this command" },
] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "envtest-assets",
  summary: "write stand-ins for the programs that controller-runtime's envtest starts",
  usage: "DIR [flags]",
  about: `Writes kube-apiserver, etcd and kubectl to a directory. With KUBEBUILDER_ASSETS set to it, test suites that use envtest run on Celadon
without a change. kube-apiserver is \`celadon up --envtest\`; etcd keeps nothing, as objects are in memory; kubectl is the installed one.`,
  options: OPTIONS,
  plain: true,
  positionals: "files",
  examples: [
    {
      what: "run a kubebuilder project's tests on Celadon",
      line: "celadon envtest-assets bin && KUBEBUILDER_ASSETS=$PWD/bin go test ./...",
    },
    { what: "as Kubernetes 1.32", line: "celadon envtest-assets bin --kube-version 1.32" },
  ],
  run: write,
});

async function write(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const [given, ...more] = args.positionals;
  if (given === undefined || more.length > 0) {
    throw new UsageError("one directory is needed", "name it: celadon envtest-assets /tmp/assets");
  }
  const directory = resolve(io.cwd, given);
  const kubeVersion = servedVersion(args.text("kube-version"));
  const { node, file } = io.program;
  const files = standIns({ node, celadon: realpathSync(file), kubeVersion, kubectl: findKubectl(io, directory) });
  const paths = new Map([...files].map(([name, text]) => [join(directory, name), text]));
  if (!args.on("force")) for (const path of paths.keys()) checkOwn(path);
  try {
    makeDirectory(directory);
  } catch (error) {
    throw unwritable(error, directory) ?? error;
  }
  await writeFiles(paths, { files: nodeFiles(io.cwd) }, 0o755);
  say(io, `export KUBEBUILDER_ASSETS=${directory}`);
  return EXIT.ok;
}

/** The real programs are not replaced unasked. */
function checkOwn(path: string): void {
  if (!existsSync(path) || readFileSync(path, "utf8").slice(0, 100).includes(MARK.slice(2))) return;
  throw new UsageError(`${path} was not written by celadon envtest-assets`, "choose another directory, or add --force");
}

function findKubectl({ env }: Io, own: string): string | undefined {
  const directories = (env.PATH ?? "").split(delimiter).filter((path) => path !== "" && resolve(path) !== own);
  return directories.map((path) => join(path, "kubectl")).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
