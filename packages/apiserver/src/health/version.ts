// The version that the server reports. Clients choose their protocol by it.

import type { Minor } from "@celadon/kube/versions";
import { indentedAnswer } from "../wire/answers.ts";
import type { Content } from "../wire/call.ts";

/** The patch release of each minor that behaviour was compared with. */
const PATCHES: Readonly<Record<Minor, string>> = {
  "1.30": "14",
  "1.31": "14",
  "1.32": "13",
  "1.33": "12",
  "1.34": "1",
  "1.35": "4",
  "1.36": "4",
  "1.37": "1",
};

/** Since then a server reports the version it emulates. */
const EMULATION_SINCE = 33;

/** The release that a server of a minor emulates: `v1.32.13`. */
export function gitVersion(minor: Minor): string {
  return `v${minor}.${PATCHES[minor] ?? "0"}`;
}

/** The answer to `/version`. */
export function versionContent(minor: Minor): Content {
  const number = minor.slice("1.".length);
  const emulation = {
    emulationMajor: "1",
    emulationMinor: number,
    minCompatibilityMajor: "1",
    minCompatibilityMinor: String(Number(number) - 1),
  };
  return indentedAnswer(200, {
    major: "1",
    minor: number,
    ...(Number(number) >= EMULATION_SINCE && emulation),
    gitVersion: `${gitVersion(minor)}+celadon`,
    gitCommit: "0000000000000000000000000000000000000000",
    gitTreeState: "clean",
    buildDate: "2026-01-01T00:00:00Z",
    goVersion: "go1.26",
    compiler: "node",
    platform: "linux/amd64",
  });
}
