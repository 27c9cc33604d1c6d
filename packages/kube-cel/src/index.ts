// The public names. Function libraries by themselves are in `@celadon/kube-cel/library`.

export { CURRENT, compareMinors, FIRST, type Minor, minorsBetween, toMinor } from "@celadon/kube/versions";
export { type Acceptance, type AcceptedByOptions, acceptedBy } from "./accepted-by.ts";
export { pricesAdmission } from "./admission-prices.ts";
export { type AdmissionDeclarations, admissionTypes, admissionVariables } from "./admission-variables.ts";
export { BASE_OPTIONS, type FeatureGate, type VersionedOptions } from "./base-options.ts";
export {
  type CompiledExpression,
  type CompileExpressionOptions,
  type CompileFailure,
  compileExpression,
} from "./compile.ts";
export {
  ComposedVariables,
  variableFailsToCompile,
  variableFailsToEvaluate,
  variablesType,
} from "./composed-variables.ts";
export { declaredType } from "./declared-type.ts";
export { type DeviceSelectorProblem, deviceSelectorProblem } from "./device-selector.ts";
export { baseOptions, type EnvironmentMode, type KubeEnvOptions, kubeEnv } from "./environment.ts";
export {
  type Attributes,
  type AuthorizerDecision,
  AuthorizerValue,
  type ExpressionAuthorizer,
  type ReadSelector,
  type RequestResource,
  type User,
} from "./library/authorizer.ts";
export {
  MaxEvaluatedMessageExpressionSizeBytes,
  MaxRequestSizeBytes,
  PerCallLimit,
  RuntimeCELCostBudget,
  RuntimeCELCostBudgetMatchConditions,
  StaticEstimatedCostLimit,
  StaticEstimatedCRDCostLimit,
} from "./limits.ts";
export { JSON_PATCH, JsonPatchValue } from "./mutation/json-patch-value.ts";
export { OBJECT, ObjectValue, typeNameProblems } from "./mutation/object-value.ts";
export { mutationTypes } from "./mutation/types.ts";
export { newMeansStored } from "./new-means-stored.ts";
export { type ServerTreatment, serverOptions } from "./server-options.ts";
