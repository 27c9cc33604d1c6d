// The rules for the metadata of every object: annotations, managed fields, owners.

export {
  fieldManagerErrors,
  TOTAL_ANNOTATION_SIZE_LIMIT,
  toFieldManager,
  validateAnnotations,
  validateManagedFields,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "../validate-metadata.ts";
