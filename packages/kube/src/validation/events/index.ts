// The events.k8s.io group.

import { newEvent } from "../core/event.ts";
import type { AnyKindRules } from "../rules.ts";

export const KINDS: readonly AnyKindRules[] = [newEvent];
