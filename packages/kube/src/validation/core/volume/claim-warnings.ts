// Warnings about claims of storage.

import { quoteGo } from "@celadon/base";
import type { PersistentVolumeClaimSpec } from "../../../api/generated/core-v1.ts";
import type { FieldPath } from "../../../field-path.ts";
import { fieldWarning, type Warning } from "../../../warning.ts";
import { isWhole, quantityAt } from "../../checks/quantities.ts";

export function claimWarnings(spec: PersistentVolumeClaimSpec, at: FieldPath): Warning[] {
  return (["requests", "limits"] as const).flatMap((part) => {
    const amount = quantityAt(spec.resources?.[part]?.storage);
    if (isWhole(amount)) return [];
    const place = at.child("resources", part).key("storage");
    return [fieldWarning(place, `fractional byte value ${quoteGo(amount.toString())} is invalid, must be an integer`)];
  });
}
