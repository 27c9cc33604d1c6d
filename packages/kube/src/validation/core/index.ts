// The core group.

import type { AnyKindRules } from "../rules.ts";
import { pod } from "./pod/index.ts";
import { podTemplate, replicationController } from "./replication-controller.ts";

export const KINDS: readonly AnyKindRules[] = [pod, podTemplate, replicationController];
