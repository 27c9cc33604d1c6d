// Ideas of the proposals that Kubernetes never shipped: `@celadon/admission/proposals`.

export { type GatedResource, withGatedFields } from "./gated-fields.ts";
export { GATES, type GateName, type Gates, parseGates } from "./gates.ts";
export { NAMESPACED_BINDINGS, namespacedBindingDefinition, ownDefinitions } from "./own-definitions.ts";
export { asBuiltinKind, confinedBinding, OWN_GROUP } from "./own-group.ts";
export { POLICY_KINDS, type PolicyKindName, type PolicyKindSource } from "./own-kinds.ts";
export { gatedFields, validateBindingCount, validateGatedBinding, validateGatedPolicy } from "./validate.ts";
