// The core group.

import type { AnyKindRules } from "../rules.ts";
import { pod } from "./pod/index.ts";

export const KINDS: readonly AnyKindRules[] = [pod];
