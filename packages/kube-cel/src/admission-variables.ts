// The variables of admission expressions and their types. Upstream: apiserver pkg/admission/plugin/cel/compile.go. `object`, `oldObject`
// and `params` have the types of the request's data; `request` and `namespaceObject` are declared. All of them are plain JSON: declared
// timestamps stay the text they are in the data, as upstream.

import { BOOL, DYN, INT, listOf, mapOf, STRING, TIMESTAMP, type Type } from "@celadon/cel";
import type { StructType, TypeProvider } from "@celadon/cel/types";
import { declaredType, declaredTypes } from "./declared-type.ts";
import { AUTHORIZER, RESOURCE_CHECK } from "./library/authorizer.ts";

const STRINGS = listOf(STRING);
const LABELS = mapOf(STRING, STRING);

/** The type of a kind in requests. */
export const groupVersionKindType: StructType = declaredType("kubernetes.GroupVersionKind", {
  group: STRING,
  version: STRING,
  kind: STRING,
});

/** The type of a resource in requests. */
export const groupVersionResourceType: StructType = declaredType("kubernetes.GroupVersionResource", {
  group: STRING,
  version: STRING,
  resource: STRING,
});

/** The type of `request.userInfo`. */
export const userInfoType: StructType = declaredType("kubernetes.UserInfo", {
  username: STRING,
  uid: STRING,
  groups: STRINGS,
  extra: mapOf(STRING, STRINGS),
});

/** Without uid, object and oldObject: expressions have no use for the first and variables for the others. */
export const admissionRequestType: StructType = declaredType("kubernetes.AdmissionRequest", {
  kind: groupVersionKindType.type,
  resource: groupVersionResourceType.type,
  subResource: STRING,
  requestKind: groupVersionKindType.type,
  requestResource: groupVersionResourceType.type,
  requestSubResource: STRING,
  name: STRING,
  namespace: STRING,
  operation: STRING,
  userInfo: userInfoType.type,
  dryRun: BOOL,
  options: DYN,
});

const namespaceMetadataType = declaredType("kubernetes.NamespaceMetadata", {
  name: STRING,
  generateName: STRING,
  namespace: STRING,
  labels: LABELS,
  annotations: LABELS,
  UID: STRING,
  creationTimestamp: TIMESTAMP,
  deletionGracePeriodSeconds: INT,
  deletionTimestamp: TIMESTAMP,
  generation: INT,
  resourceVersion: STRING,
  finalizers: STRINGS,
});
const namespaceSpecType = declaredType("kubernetes.NamespaceSpec", { finalizers: STRINGS });
const namespaceConditionType = declaredType("kubernetes.NamespaceCondition", {
  status: STRING,
  type: STRING,
  lastTransitionTime: TIMESTAMP,
  message: STRING,
  reason: STRING,
});
const namespaceStatusType = declaredType("kubernetes.NamespaceStatus", {
  conditions: listOf(namespaceConditionType.type),
  phase: STRING,
});

/** The type of `namespaceObject`. */
export const namespaceType: StructType = declaredType("kubernetes.Namespace", {
  metadata: namespaceMetadataType.type,
  spec: namespaceSpecType.type,
  status: namespaceStatusType.type,
});

/** The types of `request` and `namespaceObject` and of their fields. */
export const admissionTypes: TypeProvider = declaredTypes([
  groupVersionKindType,
  groupVersionResourceType,
  userInfoType,
  admissionRequestType,
  namespaceMetadataType,
  namespaceSpecType,
  namespaceConditionType,
  namespaceStatusType,
  namespaceType,
]);

/** The names that an expression of a policy may use beside the object. */
export interface AdmissionDeclarations {
  /** Whether the policy has params. */
  readonly params?: boolean;
  readonly authorizer?: boolean;
}

/** The variables by name. `authorizer.requestResource` is one name, dot and all. */
export function admissionVariables({
  params = false,
  authorizer = false,
}: AdmissionDeclarations = {}): Readonly<Record<string, Type>> {
  return {
    object: DYN,
    oldObject: DYN,
    namespaceObject: namespaceType.type,
    request: admissionRequestType.type,
    ...(params && { params: DYN }),
    ...(authorizer && { authorizer: AUTHORIZER, "authorizer.requestResource": RESOURCE_CHECK }),
  };
}
