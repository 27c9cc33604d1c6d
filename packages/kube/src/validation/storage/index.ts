// The storage.k8s.io group.

import type { AnyKindRules } from "../rules.ts";
import { storageClass, volumeAttributesClass } from "./classes.ts";
import { csiDriver, csiNode, csiStorageCapacity } from "./csi.ts";
import { volumeAttachment } from "./volume-attachment.ts";

export const KINDS: readonly AnyKindRules[] = [
  storageClass,
  volumeAttributesClass,
  csiDriver,
  csiNode,
  csiStorageCapacity,
  volumeAttachment,
];
