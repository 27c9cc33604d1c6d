// The flag with the address of a playground that links lead to.

import type { Args, Option } from "../program/command.ts";
import { UsageError } from "../program/exit.ts";

export const PLAYGROUND = {
  name: "playground",
  value: "URL",
  help: "URL of a playground; prints a link for each failure that opens it there, with secrets masked",
} as const satisfies Option;

/** The address of a playground, if links are requested. */
export function playgroundUrl(args: Args<"playground">): string | undefined {
  const given = args.text("playground");
  if (given === undefined) return undefined;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(
      `--playground: "${given}" is not the address of a playground`,
      "such as --playground http://127.0.0.1:7780/, where `celadon playground` serves it",
    );
  }
  url.hash = "";
  return url.href;
}
