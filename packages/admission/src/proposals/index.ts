// Ideas of the proposals that Kubernetes never shipped: `@celadon/admission/proposals`.

export type { NamespaceLists, SingletonFields, ValidationFields } from "./fields.ts";
export { GATES, type GateName, type Gates, parseGates } from "./gates.ts";
export { validateTypes } from "./strict-types.ts";
export {
  DEFAULT_POLICY_LIMITS,
  gatedFields,
  type PolicyLimits,
  validateBindingCount,
  validateGatedBinding,
  validateGatedPolicy,
} from "./validate.ts";
