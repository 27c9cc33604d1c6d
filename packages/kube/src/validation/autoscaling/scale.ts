// Scales: how many of something there should be.

import type { Scale } from "../../api/generated/autoscaling-v1.ts";
import { checkDns1123Subdomain } from "../../names.ts";
import { invalidObject } from "../../status.ts";
import { metadata } from "../checks/metadata.ts";
import { ValidatedField } from "../field.ts";
import { type AnyActionRules, actionRules } from "../rules.ts";

const SCALE = { group: "autoscaling", kind: "Scale" };

export const scale: AnyActionRules = actionRules<Scale>({
  kind: SCALE,
  refuse(object, { name = "" }) {
    const at = ValidatedField.root();
    metadata(object.metadata, { namespaced: true, name: checkDns1123Subdomain }, at.child("metadata"));
    at.child("spec", "replicas").notNegative(object.spec?.replicas);
    return at.errors.length === 0 ? undefined : invalidObject(SCALE, name, at.errors);
  },
});
