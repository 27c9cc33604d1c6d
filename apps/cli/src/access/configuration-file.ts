// A configuration file of an API server, which is one document of one kind.

import type { KubeObject } from "@celadon/kube";
import { CONFIGURATION_GROUP } from "@celadon/kube-cel/access";
import { readOne, readText } from "../inputs/value-file.ts";
import type { Args } from "../program/command.ts";
import { UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";

/** The object in a file; of another kind it is not used. */
export async function configurationOf(
  file: string,
  kind: string,
  io: Io,
  args: Args<"color" | "quiet">,
): Promise<KubeObject> {
  const object = Object(readOne(await readText(file, io, args), io, args)) as KubeObject;
  const isKind = object.kind === kind && String(object.apiVersion).startsWith(`${CONFIGURATION_GROUP}/`);
  if (!isKind) throw new UsageError(`${file} is no ${kind} of ${CONFIGURATION_GROUP}`);
  return object;
}
