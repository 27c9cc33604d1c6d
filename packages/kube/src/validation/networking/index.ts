// The networking.k8s.io group.

import type { AnyKindRules } from "../rules.ts";
import { ipAddress, serviceCidr } from "./addresses.ts";
import { ingress, ingressClass } from "./ingress.ts";
import { networkPolicy } from "./network-policy.ts";

export const KINDS: readonly AnyKindRules[] = [networkPolicy, ingress, ingressClass, ipAddress, serviceCidr];
