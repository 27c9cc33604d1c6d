// The core group.

import type { AnyKindRules } from "../rules.ts";
import { endpoints } from "./endpoints.ts";
import { pod } from "./pod/index.ts";
import { podTemplate, replicationController } from "./replication-controller.ts";
import { service } from "./service/index.ts";

export const KINDS: readonly AnyKindRules[] = [pod, podTemplate, replicationController, service, endpoints];
