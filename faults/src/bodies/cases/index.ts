// All bodies.

import type { Cases } from "../samples.ts";
import { customCases } from "./custom.ts";
import { groupsCases } from "./groups.ts";
import { metadataCases } from "./metadata.ts";
import { objectsCases } from "./objects.ts";
import { patchesCases } from "./patches.ts";
import { podsCases } from "./pods.ts";
import { policiesCases } from "./policies.ts";
import { queriesCases } from "./queries.ts";
import { textsCases } from "./texts.ts";

export const CASES: Cases = {
  ...textsCases,
  ...metadataCases,
  ...objectsCases,
  ...groupsCases,
  ...podsCases,
  ...customCases,
  ...patchesCases,
  ...policiesCases,
  ...queriesCases,
};
