// Flags of the manifests of all programs, and their common meaning.

import type { ManifestSettings } from "@celadon/cluster/manifests";
import type { ArgsOf, Option } from "../program/command.ts";
import { UsageError } from "../program/exit.ts";
import { VERSION } from "../program/version.ts";

export const IMAGE = "ghcr.io/celadon/celadon";

// biome-ignore format: one option per line
export const MANIFEST_OPTIONS = [
  { name: "namespace", short: "n", value: "NAME", help: "namespace to install into; any other than the default must exist",          fallback: "celadon" },
  { name: "image",     value: "IMAGE", help: "container image; a digest is best",                        fallback: `${IMAGE}:${VERSION}` },
  { name: "arg",       value: "ARG",   help: "extra argument for the program, such as --arg=--quiet", repeatable: true },
  { name: "cpu",       value: "QUANTITY", help: "CPU request; no limit is set",                       fallback: "100m" },
  { name: "memory",    value: "QUANTITY", help: "memory request and limit",                        fallback: "512Mi" },
] as const satisfies readonly Option[];

export const REPLICAS = {
  name: "replicas",
  value: "N",
  help: "number of pods",
  fallback: "2",
} as const satisfies Option;

const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const QUANTITY = /^\d+(\.\d+)?(m|k|M|G|Ki|Mi|Gi)?$/;

export function settingsOf(args: ArgsOf<typeof MANIFEST_OPTIONS>, name: string): ManifestSettings {
  const namespace = args.text("namespace") ?? "celadon";
  if (!LABEL.test(namespace)) throw new UsageError(`--namespace "${namespace}" cannot be the name of a namespace`);
  for (const flag of ["cpu", "memory"] as const) {
    const value = args.text(flag);
    if (value !== undefined && !QUANTITY.test(value))
      throw new UsageError(`--${flag} "${value}" is not a quantity`, "such as 250m or 512Mi");
  }
  return {
    name,
    namespace,
    image: args.text("image") ?? `${IMAGE}:${VERSION}`,
    replicas: args.shared.number("replicas", { min: 1, max: 100 }) ?? 2,
    args: args.list("arg"),
    cpu: args.text("cpu") ?? "100m",
    memory: args.text("memory") ?? "512Mi",
    version: VERSION,
  };
}
