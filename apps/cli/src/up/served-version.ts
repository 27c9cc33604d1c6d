// `--kube-version` of a server: a version whose built-in kinds are known.

import { BUILTIN_MINORS, compareMinors, type Minor, toMinor } from "@celadon/kube/versions";
import { UsageError } from "../program/exit.ts";

const VERSION = /^v?[0-9]+\.[0-9]+(?:\.[0-9]+)?$/;

/** The minor that a text names; undefined, which is the newest, if none is given. */
export function servedVersion(text: string | undefined): Minor | undefined {
  if (text === undefined) return undefined;
  const { first, last } = BUILTIN_MINORS;
  const minor = VERSION.test(text) ? toMinor(text) : undefined;
  if (minor === undefined)
    throw new UsageError(`--kube-version "${text}" is no Kubernetes version`, "write 1.32 or v1.32.3");
  if (compareMinors(minor, first) < 0 || compareMinors(minor, last) > 0) {
    throw new UsageError(`--kube-version ${minor} is not supported; a server emulates ${first} to ${last}`);
  }
  return minor;
}
