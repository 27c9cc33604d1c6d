// Merging Kubernetes objects: types for merging, sets of fields, server-side apply with ownership, and the patches.

export { createFieldManager, type FieldManager, type FieldManagerOptions } from "./apply/field-manager.ts";
export {
  type ManagedFieldsEntry,
  type Manager,
  type Managers,
  readManagedFields,
  writeManagedFields,
} from "./apply/managed-fields.ts";
export { parentManagedFields, type ReplicasPath, scaleManagedFields } from "./apply/scale-managers.ts";
export { changesBetween, type ObjectChange, pointerOf } from "./changes.ts";
export { ANY_ELEMENT, type FieldPattern, FieldSet, fieldPattern } from "./fieldpath/field-set.ts";
export { readFieldsV1, writeFieldsV1 } from "./fieldpath/fields-v1.ts";
export { fieldElement, type Path, type PathElement } from "./fieldpath/path-element.ts";
export { jsonDiff } from "./patch/json-diff.ts";
export {
  applyJsonPatch,
  JSON_PATCH_LIMIT,
  type PatchOperation,
  readJsonPatch,
  TestFailed,
  tooManyOperations,
  UnreadableText,
  withTextNulls,
} from "./patch/json-patch.ts";
export { applyMergePatch, type MergePatchOptions } from "./patch/merge-patch.ts";
export { applyStrategicPatch } from "./patch/strategic.ts";
export { builtinMergeType } from "./schema/builtin-types.ts";
export { customMergeType, type StructuralOptions } from "./schema/from-schema.ts";
export { DEDUCED, type ListType, type MapType, type MergeField, type MergeType } from "./schema/merge-type.ts";
export { type Comparison, compareTyped } from "./typed/compare.ts";
export { fieldSetOf } from "./typed/field-set-of.ts";
export { type Merged, mergeValues } from "./typed/merge.ts";
export type { TypeProblem } from "./typed/problem.ts";
export { type ValidateOptions, validateValue } from "./typed/validate.ts";
export { TOO_DEEP } from "./value/depth.ts";
export { ForeignValue, nilList } from "./value/value.ts";
