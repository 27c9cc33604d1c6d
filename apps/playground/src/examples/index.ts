// All examples; the first of a mode is what choosing the mode opens.

import { COMMON_RULES } from "./common-rules.ts";
import type { Example } from "./example.ts";
import { OTHERS } from "./others.ts";
import { ROLLOUTS } from "./rollouts.ts";
import { VALIDATING } from "./validating.ts";

export const EXAMPLES: readonly Example[] = [...VALIDATING, ...ROLLOUTS, ...OTHERS, COMMON_RULES];
