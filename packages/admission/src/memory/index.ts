// Hosts that answer from memory: `@celadon/admission/memory`.

export { builtinMergeTypeOf, completeBuiltin } from "./builtin-types.ts";
export { createConverter } from "./converter.ts";
export { createNamespaceSource, createParamSource } from "./objects.ts";
export {
  type AuthorizerOverride,
  createRbacAuthorizer,
  type GrantedRules,
  type PolicyRule,
  type RbacAuthorizer,
  type RbacOptions,
} from "./rbac.ts";
export { createResources, type KnownResource, type Resources, type ResourcesOptions } from "./resources.ts";
export { createSchemas, type Schemas, type SchemasOptions } from "./schemas.ts";
export { type MatchedTarget, type Targets, targetsOf, type WriteOperation } from "./targets.ts";
export {
  answeringTransport,
  type DeclaredAnswer,
  type DeclaredAnswers,
  declaredAnswersProblem,
} from "./webhook-answers.ts";
