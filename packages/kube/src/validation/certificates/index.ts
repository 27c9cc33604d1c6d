// The certificates.k8s.io group.

import type { AnyKindRules } from "../rules.ts";
import { signingRequest } from "./signing-request.ts";

export const KINDS: readonly AnyKindRules[] = [signingRequest];
