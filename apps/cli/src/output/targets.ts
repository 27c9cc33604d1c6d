// The destinations and formats of an answer: `-o junit=report.xml -o text`. Checked before a verb does any work.

import { nearestName } from "@celadon/base";
import type { Args } from "../program/command.ts";
import { UsageError } from "../program/exit.ts";
import { FORMATS, type Format, isFormat } from "./formats.ts";

export interface Target {
  readonly format: Format;
  /** Without one, standard output. */
  readonly file?: string;
}

/** Files first. When nothing goes to standard output, text does: a report in a file does not silence the run. */
export function parseTargets(args: Args<"output">): readonly Target[] {
  const targets = args.list("output").map(parseTarget);
  const files = targets.filter((target) => target.file !== undefined);
  const shown = targets.filter((target) => target.file === undefined);
  if (shown.length > 1) {
    const formats = shown.map(({ format }) => format);
    throw new UsageError(
      `only one format can go to standard output: found ${formats.join(" and ")}`,
      `write the others to files: -o ${formats[1]}=FILE`,
    );
  }
  const twice = files.find(({ file }, index) => files.findIndex((other) => other.file === file) < index);
  if (twice !== undefined) throw new UsageError(`two formats for the same file: "${twice.file}"`);
  return [...files, ...(shown.length === 0 ? [{ format: "text" } as const] : shown)];
}

function parseTarget(text: string): Target {
  const cut = text.indexOf("=");
  const name = cut === -1 ? text : text.slice(0, cut);
  if (!isFormat(name)) {
    const guess = nearestName(name, FORMATS);
    throw new UsageError(
      `unknown output format "${name}"${guess === undefined ? "" : `; did you mean ${guess}?`}`,
      `one of: ${FORMATS.join(", ")}`,
    );
  }
  if (cut === -1) return { format: name };
  const file = text.slice(cut + 1);
  if (file === "") throw new UsageError(`no file after "${text}"`, `for standard output, use -o ${name}`);
  return file === "-" ? { format: name } : { format: name, file };
}
