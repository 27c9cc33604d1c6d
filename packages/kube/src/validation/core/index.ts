// The core group.

import type { AnyActionRules, AnyKindRules } from "../rules.ts";
import { binding } from "./binding.ts";
import { configMap, secret, serviceAccount } from "./config.ts";
import { endpoints } from "./endpoints.ts";
import { event } from "./event.ts";
import { limitRange } from "./limit-range.ts";
import { namespace } from "./namespace.ts";
import { node } from "./node.ts";
import { pod } from "./pod/index.ts";
import { podTemplate, replicationController } from "./replication-controller.ts";
import { resourceQuota } from "./resource-quota.ts";
import { service } from "./service/index.ts";
import { persistentVolume } from "./volume/persistent-volume.ts";
import { persistentVolumeClaim } from "./volume/persistent-volume-claim.ts";

export const KINDS: readonly AnyKindRules[] = [
  pod,
  podTemplate,
  replicationController,
  service,
  endpoints,
  configMap,
  secret,
  serviceAccount,
  persistentVolume,
  persistentVolumeClaim,
  limitRange,
  resourceQuota,
  namespace,
  node,
  event,
];

export const ACTIONS: readonly AnyActionRules[] = [binding];
