// The resources that hold policies and bindings, in both groups.

import { ADMISSION_REGISTRATION, type PolicyResourceKind } from "@celadon/admission/resources";
import { OWN_GROUP, POLICY_KINDS } from "../webhook/policy-objects.ts";

export interface PolicySource {
  readonly group: string;
  readonly resource: string;
  readonly as: PolicyResourceKind;
}

export const POLICY_GROUP_KINDS: readonly PolicySource[] = [ADMISSION_REGISTRATION, OWN_GROUP].flatMap((group) =>
  POLICY_KINDS.flatMap(({ resource, as, ownOnly }) =>
    group === OWN_GROUP || !ownOnly ? [{ group, resource, as }] : [],
  ),
);
