// The names of the output formats and how each is loaded: only those requested.

import type { CommandReport } from "./answer.ts";
import type { Paint } from "./paint.ts";
import type { Text } from "./pieces.ts";

/** The settings of a format besides the answer. */
export interface Setting {
  readonly paint: Paint;
  /** The width of the terminal; undefined when the text does not go to one, and then nothing is cut. */
  readonly columns: number | undefined;
  /** The version of the command, for formats that name their maker. */
  readonly version: string;
  /** The directory in which relative paths start. */
  readonly cwd: string;
  /** The checkout: formats for CI name files relative to it. */
  readonly root: string;
}

/** An answer in one format; ends with a line feed unless empty. */
export type Render = (answer: CommandReport, setting: Setting) => Text;

export const FORMATS = [
  "text",
  "table",
  "json",
  "yaml",
  "junit",
  "sarif",
  "github",
  "gitlab",
  "markdown",
  "policyreport",
  "openreports",
  "html",
] as const;

export type Format = (typeof FORMATS)[number];

export const isFormat = (name: string): name is Format => (FORMATS as readonly string[]).includes(name);

// biome-ignore format: one format per line
const LOADERS: Readonly<Record<Format, () => Promise<{ readonly render: Render }>>> = {
  text:         () => import("./text.ts"),
  table:        () => import("./table.ts"),
  json:         () => import("./format/json.ts"),
  yaml:         () => import("./format/yaml.ts"),
  junit:        () => import("./format/junit.ts"),
  sarif:        () => import("./format/sarif.ts"),
  github:       () => import("./format/github.ts"),
  gitlab:       () => import("./format/gitlab.ts"),
  markdown:     () => import("./format/markdown.ts"),
  policyreport: () => import("./format/policyreport.ts"),
  openreports:  () => import("./format/openreports.ts"),
  html:         () => import("./format/html.ts"),
};

export async function loadFormat(format: Format): Promise<Render> {
  return (await LOADERS[format]()).render;
}
