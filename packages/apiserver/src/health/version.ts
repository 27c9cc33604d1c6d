// What the server says it is. Clients choose their protocol by it.

import { jsonAnswer } from "../wire/answers.ts";
import type { Content } from "../wire/call.ts";

export const KUBERNETES_VERSION = "v1.36.4";

export const VERSION: Content = jsonAnswer(200, {
  major: "1",
  minor: "36",
  emulationMajor: "1",
  emulationMinor: "36",
  minCompatibilityMajor: "1",
  minCompatibilityMinor: "35",
  gitVersion: `${KUBERNETES_VERSION}+celadon`,
  gitCommit: "0000000000000000000000000000000000000000",
  gitTreeState: "clean",
  buildDate: "2026-01-01T00:00:00Z",
  goVersion: "go1.26",
  compiler: "node",
  platform: "linux/amd64",
});
