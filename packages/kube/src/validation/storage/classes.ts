// StorageClasses and VolumeAttributesClasses.

import { semanticEqual, utf8Length } from "@celadon/base";
import type { TopologySelectorTerm } from "../../api/generated/core-v1.ts";
import type { StorageClass, VolumeAttributesClass } from "../../api/generated/storage-v1.ts";
import { JsonShown } from "../../field-error.ts";
import { fieldPath } from "../../field-path.ts";
import { checkDns1123Subdomain, checkQualifiedName } from "../../names.ts";
import { givenPart } from "../../types/empty-fields.ts";
import { fieldWarning, type Warning } from "../../warning.ts";
import { metadata, metadataUpdate } from "../checks/metadata.ts";
import { labelName } from "../checks/selectors.ts";
import { deprecatedNodeLabel } from "../core/node-labels.ts";
import type { ValidatedField } from "../field.ts";
import { type AnyKindRules, kindRules } from "../rules.ts";
import { sameMap } from "../same-map.ts";

const MAX_PARAMETERS = 512;
const MAX_PARAMETER_SIZE = 256 * 1024;

export const storageClass: AnyKindRules = kindRules<StorageClass>({
  kind: { group: "storage.k8s.io", kind: "StorageClass" },
  resource: "storageclasses",
  namespaced: false,
  unconditionalUpdate: true,
  validate: wholeClass,
  validateUpdate(object, old, at) {
    wholeClass(object, at);
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
    if (at.by.before(36)) {
      for (const field of ["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"] as const) {
        if (!semanticEqual(object[field], old[field])) at.child(field).forbidden(`updates to ${field} are forbidden.`);
      }
      return;
    }
    at.child("parameters").declaredImmutable(object.parameters, old.parameters, () =>
      givenPart(object, "parameters", {}),
    );
    at.child("provisioner").declaredImmutable(object.provisioner, old.provisioner, (value) => value ?? "");
    const asJson = (value: unknown): unknown => new JsonShown(value ?? null);
    at.child("reclaimPolicy").declaredImmutable(object.reclaimPolicy, old.reclaimPolicy, asJson);
    at.child("volumeBindingMode").declaredImmutable(object.volumeBindingMode, old.volumeBindingMode, asJson);
  },
  warnOnCreate: warnings,
  warnOnUpdate: warnings,
});

function wholeClass(object: StorageClass, at: ValidatedField): void {
  metadata(object.metadata, { namespaced: false, name: checkDns1123Subdomain }, at.child("metadata"));
  at.child("provisioner").mustBeDeclared(object.provisioner);
  provisioner(object.provisioner, at.child("provisioner"));
  parameters(object.parameters ?? {}, at.child("parameters"));
  if (object.reclaimPolicy) at.child("reclaimPolicy").oneOf(object.reclaimPolicy, ["Delete", "Retain"]);
  const mode = at.child("volumeBindingMode");
  if (object.volumeBindingMode === undefined) mode.required();
  else mode.oneOf(object.volumeBindingMode, ["Immediate", "WaitForFirstConsumer"]);
  topologies(object.allowedTopologies ?? [], at.child("allowedTopologies"));
}

function provisioner(name: string | undefined, at: ValidatedField): void {
  at.mayBe(name?.toLowerCase(), checkQualifiedName);
}

function parameters(given: Readonly<Record<string, string>>, at: ValidatedField): void {
  const keys = Object.keys(given);
  if (keys.length > MAX_PARAMETERS) {
    at.tooLong(MAX_PARAMETERS);
    return;
  }
  if (keys.includes("")) at.invalid("", "field can not be empty.");
  const size = keys.reduce((sum, key) => sum + utf8Length(key) + utf8Length(given[key]!), 0);
  if (size > MAX_PARAMETER_SIZE) at.tooLong(MAX_PARAMETER_SIZE);
}

function topologies(terms: readonly TopologySelectorTerm[], at: ValidatedField): void {
  const seen: string[] = [];
  at.each(terms, (term, each) => {
    const values = new Map<string, readonly string[]>();
    each.child("matchLabelExpressions").each(term.matchLabelExpressions, ({ key = "", values: list }, place) => {
      const given = list ?? [];
      place.child("values").mustExist(given);
      place.child("values").each(given, (value, spot, i) => {
        if (given.indexOf(value) < i) spot.duplicate(value);
      });
      labelName(key, place.child("key"));
      if (values.has(key)) place.child("key").duplicate(key);
      values.set(key, [...new Set(given)].sort());
    });
    const text = JSON.stringify([...values].sort(([a], [b]) => (a < b ? -1 : 1)));
    // A list as long as the terms was made empty first, and an empty term is the same as those.
    const copies = seen.filter((other) => other === text).length + (values.size === 0 ? terms.length : 0);
    for (let i = 0; i < copies; i++) each.child("matchLabelExpressions").duplicate("");
    seen.push(text);
  });
}

function warnings(object: StorageClass): Warning[] {
  return (object.allowedTopologies ?? []).flatMap((term, i) =>
    (term.matchLabelExpressions ?? []).flatMap(({ key }, j) => {
      const deprecated = deprecatedNodeLabel(key);
      const at = fieldPath("allowedTopologies").index(i).child("matchLabelExpressions").index(j).child("key");
      return deprecated === undefined ? [] : [fieldWarning(at, deprecated)];
    }),
  );
}

export const volumeAttributesClass: AnyKindRules = kindRules<VolumeAttributesClass>({
  kind: { group: "storage.k8s.io", kind: "VolumeAttributesClass" },
  resource: "volumeattributesclasses",
  namespaced: false,
  unconditionalUpdate: true,
  validate: wholeAttributes,
  validateUpdate(object, old, at) {
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
    if ((object.driverName ?? "") !== (old.driverName ?? "")) {
      at.child("driverName").forbidden("updates to driverName are forbidden.");
    }
    if (!sameMap(object.parameters, old.parameters)) {
      at.child("parameters").forbidden("updates to parameters are forbidden.");
    }
    wholeAttributes(object, at);
  },
});

function wholeAttributes(object: VolumeAttributesClass, at: ValidatedField): void {
  metadata(object.metadata, { namespaced: false, name: checkDns1123Subdomain }, at.child("metadata"));
  at.child("driverName").mustExist(object.driverName);
  provisioner(object.driverName, at.child("driverName"));
  const given = object.parameters ?? {};
  const place = at.child("parameters");
  parameters(given, place);
  if (Object.keys(given).length === 0) place.required("must contain at least one key/value pair");
}
