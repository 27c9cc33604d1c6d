// `--runtime-config`: versions that must be served, or must not be. Celadon serves what Kubernetes serves by default, and nothing else can be
// turned on or off, so anything else is an error.

import type { LaunchedServer } from "@celadon/apiserver";
import { UsageError } from "../program/exit.ts";

/** Groups of versions, and the value that is so anyway; undefined where either may be given. */
const WHOLE: Readonly<Record<string, boolean | undefined>> = {
  "api/all": true,
  "api/ga": true,
  "api/beta": undefined,
  "api/alpha": undefined,
};

/** Throws for a version that is asked for and not served, or the other way round. */
export async function checkRuntimeConfig(values: readonly string[], { client }: LaunchedServer): Promise<void> {
  for (const entry of values.flatMap((text) => text.split(",")).filter((text) => text !== "")) {
    const [key = "", value = "true"] = entry.split("=");
    if (value !== "true" && value !== "false") throw new UsageError(`--runtime-config ${entry}: use true or false`);
    const isOn = value === "true";
    if (Object.hasOwn(WHOLE, key)) {
      if (WHOLE[key] !== undefined && WHOLE[key] !== isOn)
        throw new UsageError(`--runtime-config ${entry} is not supported: versions cannot be turned off`);
      continue;
    }
    if ((await isServed(key, client)) === isOn) continue;
    throw new UsageError(
      `--runtime-config ${entry} is not supported: ${key} is ${isOn ? "not served" : "always served"}`,
      "omit it; the versions are served that Kubernetes serves by default",
    );
  }
}

/** `v1`, `group/version` or `group/version/resource`. */
async function isServed(key: string, client: LaunchedServer["client"]): Promise<boolean> {
  const [group = "", version, resource] = key.split("/");
  const path =
    version === undefined ? `/api/${group}` : group === "api" ? `/api/${version}` : `/apis/${group}/${version}`;
  const reply = await client.call("GET", path);
  if (reply.code !== 200) return false;
  if (resource === undefined) return true;
  const { resources } = reply.json() as { readonly resources: readonly { readonly name: string }[] };
  return resources.some(({ name }) => name === resource);
}
