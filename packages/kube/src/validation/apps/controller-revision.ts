// ControllerRevisions: recorded states of a controller, which never change.

import type { ControllerRevision } from "../../api/generated/apps-v1.ts";
import { RAW_EXTENSION } from "../../go-syntax.ts";
import { checkDns1123Subdomain } from "../../names.ts";
import { metadata, metadataUpdate } from "../checks/metadata.ts";
import type { ValidatedField } from "../field.ts";
import { type AnyKindRules, kindRules } from "../rules.ts";
import { shownAsGiven } from "../show/internal.ts";

export const controllerRevision: AnyKindRules = kindRules<ControllerRevision>({
  kind: { group: "apps", kind: "ControllerRevision" },
  resource: "controllerrevisions",
  namespaced: true,
  unconditionalUpdate: true,
  validate(object, at) {
    revision(object, at);
    if (object.data == null) at.child("data").required("data is mandatory");
    else if (at.by.since(31) && (typeof object.data !== "object" || Array.isArray(object.data))) {
      at.child("data").required("data must be a valid JSON object");
    }
  },
  validateUpdate(object, old, at) {
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
    revision(object, at);
    at.child("data").immutable(object.data, old.data, (value) => shownAsGiven(value ?? null, RAW_EXTENSION));
  },
});

function revision(object: ControllerRevision, at: ValidatedField): void {
  metadata(object.metadata, { namespaced: true, name: checkDns1123Subdomain }, at.child("metadata"));
  at.child("revision").notNegative(object.revision);
}
