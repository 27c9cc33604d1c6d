// The resource.k8s.io group: devices, the drivers that offer them and the claims that request them.

import type { AnyKindRules } from "../rules.ts";
import { resourceClaim, resourceClaimTemplate } from "./claims.ts";
import { deviceClass } from "./device-class.ts";
import { resourceSlice } from "./slice.ts";

export const KINDS: readonly AnyKindRules[] = [deviceClass, resourceClaim, resourceClaimTemplate, resourceSlice];
