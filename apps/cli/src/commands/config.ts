// `celadon config`: the settings in force, and the line of each.

import { API_VERSION } from "@celadon/testing";
import type { ConfigurationText } from "@celadon/testing/configuration";
import { CONFIG } from "../inputs/options.ts";
import { placeText } from "../output/place-text.ts";
import { writeAnswer } from "../output/write.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../program/command.ts";
import type { CallConfiguration, ConfiguredPlace } from "../program/configuration.ts";
import { EXIT, type ExitCode } from "../program/exit.ts";
import type { Io } from "../program/io.ts";

const OPTIONS = [CONFIG] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "config",
  summary: "show the configuration in force, and which line of celadon.yaml says so",
  usage: "[PATH…] [flags]",
  about: `Prints every setting of celadon.yaml with its value and its place, or that it is the default. With paths, prints what is in force for
these files, with the overrides that apply to them. Flags of a command come before the configuration; patterns to exclude and codes to
disable add up.

The file is found from the working directory upwards, as far as the Git repository goes. docs/reference/configuration.md describes
its fields, and docs/reference/celadon.schema.json is its schema for editors.`,
  options: OPTIONS,
  positionals: "files",
  examples: [
    { what: "show the configuration", line: "celadon config" },
    { what: "show the settings in force for a file", line: "celadon config legacy/policy.yaml" },
  ],
  run: config,
});

/** A setting in force. */
interface Setting {
  readonly name: keyof ConfigurationText;
  /** The file that it is for; absent for all. */
  readonly for?: string;
  readonly value: unknown;
  /** Absent for a default. */
  readonly place?: ConfiguredPlace;
}

// biome-ignore format: one default per line
const DEFAULTS: readonly (readonly [keyof ConfigurationText, unknown])[] = [
  ["paths",        []],
  ["exclude",      []],
  ["gitignore",    false],
  ["strictFiles",  false],
  ["kubeVersion",  undefined],
  ["disable",      []],
  ["unknownKinds", "warn"],
  ["baseline",     undefined],
];

async function config(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const { configuration } = args;
  const settings = [
    ...DEFAULTS.map(([name, value]) => settingOf(configuration, name, value)),
    ...args.positionals.flatMap((file) => overridden(configuration, file)),
  ];
  const rows = settings.map(({ name, for: file, value, place }) => [
    file === undefined ? name : `${name} of ${file}`,
    shown(value),
    place === undefined ? "default" : placeText(place),
  ]);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  return writeAnswer(
    {
      results: [],
      document: {
        apiVersion: API_VERSION,
        kind: "ConfigurationReport",
        ...(configuration && { file: configuration.file }),
        settings,
      },
      text: (paint) => {
        const head = configuration === undefined ? "no celadon.yaml: the defaults are in force" : configuration.file;
        const lines = rows.map(
          ([name, value, place]) =>
            `${name!.padEnd(widths[0]!)}  ${value!.padEnd(widths[1]!)}  ${place === "default" ? paint.dim(place) : place}\n`,
        );
        return `${paint.bold(head)}\n${lines.join("")}`;
      },
      table: { columns: ["SETTING", "VALUE", "PLACE"], rows },
      exit: EXIT.ok,
    },
    args,
    io,
  );
}

function settingOf(
  configuration: CallConfiguration | undefined,
  name: keyof ConfigurationText,
  fallback: unknown,
): Setting {
  const value = configuration?.text[name];
  if (value === undefined) return { name, value: fallback };
  const place = configuration?.placeOf([name]);
  return { name, value, ...(place && { place }) };
}

/** The settings of the overrides for a file. */
function overridden(configuration: CallConfiguration | undefined, file: string): readonly Setting[] {
  const overrides = configuration?.text.overrides ?? [];
  return (configuration?.overridesFor(file) ?? []).flatMap((i) =>
    (["disable", "unknownKinds"] as const).flatMap((name): Setting[] => {
      const value = overrides[i]![name];
      const place = configuration?.placeOf(["overrides", i, name]);
      return value === undefined ? [] : [{ name, for: file, value, ...(place && { place }) }];
    }),
  );
}

function shown(value: unknown): string {
  if (value === undefined) return "-";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(", ");
  return String(value);
}
