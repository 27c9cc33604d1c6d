// The Go structs of policies and bindings, as far as decoding shows them: their fields, the names of these in errors, and those that are
// omitted from the answer when empty.

export type FieldType =
  /** `pointer`: an empty text is kept, only null is absent. `always`: written even when empty. */
  | { readonly is: "text"; readonly go: string; readonly pointer?: true; readonly always?: true }
  | { readonly is: "int" | "bool"; readonly go: string }
  | { readonly is: "time" }
  | { readonly is: "any" }
  | { readonly is: "list"; readonly go: string; readonly of: FieldType }
  | { readonly is: "map"; readonly go: string; readonly of: FieldType }
  /** A struct that is not a pointer always exists. */
  | { readonly is: "struct"; readonly name: string; readonly pointer?: true };

export type Struct = ReadonlyMap<string, FieldType>;

const text = (go = "string"): FieldType => ({ is: "text", go });
const always = (go = "string"): FieldType => ({ is: "text", go, always: true });
const pointer = (go: string): FieldType => ({ is: "text", go, pointer: true });
const int: FieldType = { is: "int", go: "int64" };
const bool: FieldType = { is: "bool", go: "bool" };
const time: FieldType = { is: "time" };
const struct = (name: string): FieldType => ({ is: "struct", name });
const maybe = (name: string): FieldType => ({ is: "struct", name, pointer: true });
const structs = (name: string): FieldType => ({ is: "list", go: `[]v1.${name}`, of: struct(name) });
const texts = (go = "string"): FieldType => ({ is: "list", go: `[]${go}`, of: always(go) });
const textMap: FieldType = { is: "map", go: "map[string]string", of: always() };

const RULE = {
  resourceNames: texts(),
  operations: texts("v1.OperationType"),
  apiGroups: texts(),
  apiVersions: texts(),
  resources: texts(),
  scope: pointer("v1.ScopeType"),
};

const TABLE: Readonly<Record<string, Readonly<Record<string, FieldType>>>> = {
  ValidatingAdmissionPolicy: {
    kind: text(),
    apiVersion: text(),
    metadata: struct("ObjectMeta"),
    spec: struct("ValidatingAdmissionPolicySpec"),
    status: struct("ValidatingAdmissionPolicyStatus"),
  },
  ValidatingAdmissionPolicySpec: {
    paramKind: maybe("ParamKind"),
    matchConstraints: maybe("MatchResources"),
    validations: structs("Validation"),
    failurePolicy: pointer("v1.FailurePolicyType"),
    auditAnnotations: structs("AuditAnnotation"),
    matchConditions: structs("MatchCondition"),
    variables: structs("Variable"),
  },
  ValidatingAdmissionPolicyStatus: {
    observedGeneration: int,
    typeChecking: maybe("TypeChecking"),
    conditions: structs("Condition"),
  },
  TypeChecking: { expressionWarnings: structs("ExpressionWarning") },
  ExpressionWarning: { fieldRef: always(), warning: always() },
  Condition: {
    type: always(),
    status: always("v1.ConditionStatus"),
    observedGeneration: int,
    lastTransitionTime: time,
    reason: always(),
    message: always(),
  },
  ParamKind: { apiVersion: text(), kind: text() },
  MatchResources: {
    namespaceSelector: maybe("LabelSelector"),
    objectSelector: maybe("LabelSelector"),
    resourceRules: structs("NamedRuleWithOperations"),
    excludeResourceRules: structs("NamedRuleWithOperations"),
    matchPolicy: pointer("v1.MatchPolicyType"),
  },
  NamedRuleWithOperations: RULE,
  LabelSelector: { matchLabels: textMap, matchExpressions: structs("LabelSelectorRequirement") },
  LabelSelectorRequirement: { key: always(), operator: always("v1.LabelSelectorOperator"), values: texts() },
  Validation: {
    expression: always(),
    message: text(),
    reason: pointer("v1.StatusReason"),
    messageExpression: text(),
  },
  AuditAnnotation: { key: always(), valueExpression: always() },
  MatchCondition: { name: always(), expression: always() },
  Variable: { name: always(), expression: always() },
  ValidatingAdmissionPolicyBinding: {
    kind: text(),
    apiVersion: text(),
    metadata: struct("ObjectMeta"),
    spec: struct("ValidatingAdmissionPolicyBindingSpec"),
  },
  ValidatingAdmissionPolicyBindingSpec: {
    policyName: text(),
    paramRef: maybe("ParamRef"),
    matchResources: maybe("MatchResources"),
    validationActions: texts("v1.ValidationAction"),
  },
  MutatingAdmissionPolicy: {
    kind: text(),
    apiVersion: text(),
    metadata: struct("ObjectMeta"),
    spec: struct("MutatingAdmissionPolicySpec"),
  },
  MutatingAdmissionPolicySpec: {
    paramKind: maybe("ParamKind"),
    matchConstraints: maybe("MatchResources"),
    variables: structs("Variable"),
    mutations: structs("Mutation"),
    failurePolicy: pointer("v1.FailurePolicyType"),
    matchConditions: structs("MatchCondition"),
    reinvocationPolicy: text("v1.ReinvocationPolicyType"),
  },
  Mutation: {
    patchType: always("v1.PatchType"),
    applyConfiguration: maybe("ApplyConfiguration"),
    jsonPatch: maybe("JSONPatch"),
  },
  ApplyConfiguration: { expression: text() },
  JSONPatch: { expression: text() },
  MutatingAdmissionPolicyBinding: {
    kind: text(),
    apiVersion: text(),
    metadata: struct("ObjectMeta"),
    spec: struct("MutatingAdmissionPolicyBindingSpec"),
  },
  MutatingAdmissionPolicyBindingSpec: {
    policyName: text(),
    paramRef: maybe("ParamRef"),
    matchResources: maybe("MatchResources"),
  },
  ParamRef: {
    name: text(),
    namespace: text(),
    selector: maybe("LabelSelector"),
    parameterNotFoundAction: pointer("v1.ParameterNotFoundActionType"),
  },
  ObjectMeta: {
    name: text(),
    generateName: text(),
    namespace: text(),
    selfLink: text(),
    uid: text("types.UID"),
    resourceVersion: text(),
    generation: int,
    creationTimestamp: time,
    deletionTimestamp: time,
    deletionGracePeriodSeconds: int,
    labels: textMap,
    annotations: textMap,
    ownerReferences: structs("OwnerReference"),
    finalizers: texts(),
    managedFields: { is: "list", go: "[]v1.ManagedFieldsEntry", of: { is: "any" } },
  },
  OwnerReference: {
    apiVersion: always(),
    kind: always(),
    name: always(),
    uid: always("types.UID"),
    controller: bool,
    blockOwnerDeletion: bool,
  },
};

const STRUCTS: ReadonlyMap<string, Struct> = new Map(
  Object.entries(TABLE).map(([name, fields]) => [name, new Map(Object.entries(fields))]),
);

export function structOf(name: string): Struct {
  const found = STRUCTS.get(name);
  if (found === undefined) throw new Error(`no struct ${name}`);
  return found;
}
