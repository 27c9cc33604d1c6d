// The flowcontrol.apiserver.k8s.io group: which requests wait for which others.

import type { AnyKindRules } from "../rules.ts";
import { flowSchema } from "./flow-schema.ts";
import { priorityLevel } from "./priority-level.ts";

export const KINDS: readonly AnyKindRules[] = [flowSchema, priorityLevel];
