// The batch group.

import type { AnyKindRules } from "../rules.ts";
import { cronJob } from "./cron-job.ts";
import { job } from "./job.ts";

export const KINDS: readonly AnyKindRules[] = [job, cronJob];
