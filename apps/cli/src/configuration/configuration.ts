// The configuration of a call: celadon.yaml, found from the working directory upwards as far as the repository goes, or named with
// --config. Everything in it is relative to its directory.

import { posix } from "node:path";
import type { Manifest } from "@celadon/simulator/manifests";
import {
  CONFIGURATION_FILE,
  CONFIGURATION_KIND,
  type ConfigurationText,
  configurationIssues,
  isConfiguration,
} from "@celadon/testing/configuration";
import { badInput } from "../inputs/inputs.ts";
import { CONFIG } from "../inputs/options.ts";
import type { Args } from "../program/command.ts";
import type { CallConfiguration, ConfiguredPlace } from "../program/configuration.ts";
import { UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { Exclusions } from "../sources/find/exclusions.ts";
import { loadManifests, type SourceIssue } from "../sources/index.ts";
import { parseKubeVersions } from "../sources/kube-version.ts";

export class Configuration implements CallConfiguration {
  readonly file: string;
  readonly text: ConfigurationText;
  readonly #cwd: string;
  /** The directory of the file. */
  readonly #directory: string;
  readonly #manifest: Manifest;
  readonly #overrides: readonly Exclusions[];

  constructor(file: string, manifest: Manifest, cwd: string) {
    this.file = file;
    this.text = manifest.object as ConfigurationText;
    this.#cwd = cwd;
    this.#directory = posix.resolve(cwd, posix.dirname(file));
    this.#manifest = manifest;
    this.#overrides = (this.text.overrides ?? []).map(({ paths }) => new Exclusions(paths));
  }

  resolved(path: string): string {
    if (posix.isAbsolute(path)) return path;
    return posix.relative(this.#cwd, posix.resolve(this.#directory, path)) || ".";
  }

  relative(path: string): string {
    return posix.relative(this.#directory, posix.resolve(this.#cwd, path));
  }

  overridesFor(file: string): readonly number[] {
    const path = this.relative(file);
    return this.#overrides.flatMap((patterns, i) => (patterns.covers(path) ? [i] : []));
  }

  disabledIn(file: string): readonly string[] {
    const { disable = [], overrides = [] } = this.text;
    return [...disable, ...this.overridesFor(file).flatMap((i) => overrides[i]!.disable ?? [])];
  }

  unknownKindsIn(file: string): ConfigurationText["unknownKinds"] {
    const { overrides = [] } = this.text;
    return this.overridesFor(file)
      .flatMap((i) => overrides[i]!.unknownKinds ?? [])
      .at(-1);
  }

  placeOf(path: readonly (string | number)[]): ConfiguredPlace | undefined {
    const found = this.#manifest.origin?.positionOf(path);
    return found && { file: found.file, line: found.line, column: found.column };
  }

  lineText(line: number): string | undefined {
    return this.#manifest.origin?.lineText(line);
  }
}

/** A directory above this many others is not looked into. */
const MOST_DIRECTORIES = 64;

/** The configuration in force; undefined if there is none. Throws after printing its errors. */
export async function configurationOf(args: Pick<Args, "shared">, io: Io): Promise<Configuration | undefined> {
  const named = args.shared.text(CONFIG.name);
  if (named === "none") return undefined;
  const file = named ?? (await findUpwards(io));
  return file === undefined ? undefined : readConfiguration(file, io);
}

async function findUpwards(io: Io): Promise<string | undefined> {
  const depth = Math.min(MOST_DIRECTORIES, io.cwd.split("/").filter((name) => name !== "").length);
  for (let i = 0; i <= depth; i++) {
    const directory = "../".repeat(i);
    if ((await kindOf(`${directory}${CONFIGURATION_FILE}`, io)) === "file") return `${directory}${CONFIGURATION_FILE}`;
    // A file above the repository is somebody else's.
    if ((await kindOf(`${directory}.git`, io)) !== undefined) return undefined;
  }
  return undefined;
}

/** A directory that may not be looked into has nothing for us. */
async function kindOf(path: string, io: Io): Promise<string | undefined> {
  try {
    return await io.files.kind(path);
  } catch {
    return undefined;
  }
}

async function readConfiguration(file: string, io: Io): Promise<Configuration> {
  const { manifests, issues } = await loadManifests([file], { command: "celadon config", strict: true }, io);
  const hint = `it begins with "apiVersion: celadon.dev/v1" and "kind: ${CONFIGURATION_KIND}"`;
  if (issues.length > 0) {
    const isForeign = ({ code }: SourceIssue): boolean => code === "not_kubernetes" || code === "empty";
    throw badInput(
      issues.map((issue) => (isForeign(issue) ? { ...issue, hint } : issue)),
      io,
    );
  }
  const [manifest, ...more] = manifests;
  if (manifest === undefined || more.length > 0 || !isConfiguration(manifest)) {
    throw badInput([{ code: "configuration", file, message: "is not one configuration of Celadon", hint }], io);
  }
  const wrong = configurationIssues(manifest).map(
    ({ code: _, ...issue }): SourceIssue => ({ code: "configuration", ...issue }),
  );
  if (wrong.length > 0) throw badInput(wrong, io);
  const configuration = new Configuration(file, manifest, io.cwd);
  checkVersion(configuration, io);
  return configuration;
}

function checkVersion(configuration: Configuration, io: Io): void {
  try {
    parseKubeVersions(configuration.text.kubeVersion);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const message = error.message.replace(/^--kube-version/, "kubeVersion");
    throw badInput([placed(configuration, ["kubeVersion"], message, error.hint)], io);
  }
}

/** An issue at a place of the file. */
export function placed(
  configuration: CallConfiguration,
  path: readonly (string | number)[],
  message: string,
  hint?: string,
): SourceIssue {
  const place = configuration.placeOf(path);
  const lineText = place && configuration.lineText(place.line);
  return {
    code: "configuration",
    file: configuration.file,
    ...(place && { line: place.line, column: place.column }),
    ...(lineText !== undefined && { lineText }),
    message,
    ...(hint !== undefined && { hint }),
  };
}
