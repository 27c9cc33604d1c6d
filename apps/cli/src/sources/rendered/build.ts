// Kustomizations and charts as inputs. Their own programs build them, so that the result is the one a cluster gets from them.

import { thrownText } from "@celadon/base";
import { UsageError } from "../../program/exit.ts";
import type { Io } from "../../program/io.ts";
import { decodeSource, FILE_BYTES } from "../decode.ts";
import { codeOf } from "../find/find.ts";
import type { SourceIssue } from "../issue.ts";
import { SourceText } from "../source-text.ts";
import { byTemplate } from "./helm-output.ts";

/** The kustomizations and charts of a call, and the settings of Helm. */
export interface Buildable {
  /** Directories with a kustomization. */
  readonly kustomizations: readonly string[];
  /** Directories and archives of charts. */
  readonly charts: readonly string[];
  /** Files with values for all charts. */
  readonly values: readonly string[];
  readonly namespace: string | undefined;
  readonly kubeVersion: string | undefined;
}

export const isNothing = ({ kustomizations, charts }: Buildable): boolean =>
  kustomizations.length + charts.length === 0;

/** The built manifests, in the order of the flags. Throws UsageError for a missing program or directory. */
export async function build(buildable: Buildable, io: Io): Promise<readonly (SourceText | SourceIssue)[]> {
  const built: (SourceText | SourceIssue)[] = [];
  for (const directory of buildable.kustomizations) built.push(await kustomize(directory, io));
  for (const chart of buildable.charts) {
    const source = await helm(chart, buildable, io);
    if (source instanceof SourceText) built.push(...(await byTemplate(source, chart, io)));
    else built.push(source);
  }
  return built;
}

async function kustomize(directory: string, io: Io): Promise<SourceText | SourceIssue> {
  await mustExist("-k", directory, io);
  const path = asPath(directory);
  const own = await runProgram("kustomize", ["build", path], directory, io);
  const built = own ?? (await runProgram("kubectl", ["kustomize", path], directory, io));
  if (built !== undefined) return built;
  throw new UsageError("-k needs kustomize or kubectl, and neither is installed");
}

async function helm(
  chart: string,
  { values, namespace, kubeVersion }: Buildable,
  io: Io,
): Promise<SourceText | SourceIssue> {
  // Helm would look for anything else in repositories, over the network.
  await mustExist("--helm", chart, io);
  for (const file of values) await mustExist("--helm-values", file, io);
  const args = [
    "template",
    asPath(chart),
    "--include-crds",
    ...(kubeVersion === undefined ? [] : ["--kube-version", kubeVersion]),
    ...(namespace === undefined ? [] : ["--namespace", namespace]),
    ...values.flatMap((file) => ["--values", asPath(file)]),
  ];
  const built = await runProgram("helm", args, chart, io);
  if (built !== undefined) return built;
  throw new UsageError("--helm needs helm, which is not installed");
}

/** Undefined if the program is not installed. */
async function runProgram(
  program: string,
  args: readonly string[],
  directory: string,
  io: Io,
): Promise<SourceText | SourceIssue | undefined> {
  const call = `${program} ${args[0]}`;
  let answer: Awaited<ReturnType<Io["run"]>>;
  try {
    answer = await io.run(program, args, FILE_BYTES);
  } catch (error) {
    io.signal.throwIfAborted();
    if (codeOf(error) === "ENOENT") return undefined;
    return { code: "unreadable", file: directory, message: `${call} failed: ${thrownText(error)}` };
  }
  if (answer.code === 0) return decodeSource(`<${call} ${directory}>`, answer.stdout, FILE_BYTES);
  // The last line has the reason; advice and warnings come before it.
  const reason = answer.stderr.trim().split("\n").at(-1) ?? "";
  return { code: "unreadable", file: directory, message: `${call} failed: ${reason.replace(/^Error: /, "")}` };
}

async function mustExist(flag: string, path: string, io: Io): Promise<void> {
  if (path !== "" && (await io.files.kind(path)) !== undefined) return;
  throw new UsageError(`${flag} "${path}": no such file or directory`, "only local directories and archives are built");
}

/** A name that begins with a dash is no flag. */
const asPath = (path: string): string => (path.startsWith("-") ? `./${path}` : path);
