// Claims of devices that a pod names, and the group it is scheduled with.

import type { PodResourceClaim } from "../../../api/generated/core-v1.ts";
import type { ObjectMeta } from "../../../api/generated/meta-v1.ts";
import { checkDns1123Label, checkDns1123Subdomain } from "../../../names.ts";
import { ValidatedField } from "../../field.ts";
import { shownAs } from "../../show/internal.ts";
import { MIRROR_POD } from "./annotations.ts";

// The error names no field at all.
const noField = (at: ValidatedField): ValidatedField => ValidatedField.root(at.by, at.errors).child("");

export function resourceClaims(
  claims: readonly PodResourceClaim[] | undefined,
  meta: ObjectMeta | undefined,
  at: ValidatedField,
): void {
  const names = new Set<string>();
  at.each(claims, (claim, each) => {
    if (meta?.annotations?.[MIRROR_POD] !== undefined) {
      return noField(at).forbidden("static pods do not support resource claims");
    }
    const { name = "", resourceClaimName, resourceClaimTemplateName } = claim;
    if (name === "") each.child("name").required();
    else if (names.has(name)) each.child("name").duplicate(name);
    else {
      each.child("name").check(name, checkDns1123Label);
      names.add(name);
    }
    const shown = (): unknown => shownAs("core.PodResourceClaim", claim);
    if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined) {
      each.invalid(shown(), "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified");
    }
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined) {
      each.invalid(shown(), "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`");
    }
    if (resourceClaimName !== undefined)
      each.child("resourceClaimName").check(resourceClaimName, checkDns1123Subdomain);
    if (resourceClaimTemplateName !== undefined) {
      each.child("resourceClaimTemplateName").check(resourceClaimTemplateName, checkDns1123Subdomain);
    }
  });
}
