// Sets of policies, requests and their reports. Each other subject has an entry point of its own: `policy` has the resources as types, `memory`
// hosts in memory, `resources` the checks of the resources themselves, `steps` the parts of admission.

export { admit, admitEntries } from "./admit.ts";
export type { MissingParams } from "./decide/bind.ts";
export type { Failure, FailureSource } from "./decide/decide.ts";
export { type AdmissionReport, objectName } from "./decide/report.ts";
export { type BindingOutcome, hasApplied, type PolicyOutcome, type Verdicts } from "./decide/verdict.ts";
export { headerTexts, warningHeader } from "./decide/warnings.ts";
export type { AdmitOptions } from "./evaluate/context.ts";
export { EVALUATION_TIME, type Signal } from "./evaluate/deadline.ts";
export {
  type Authorizer,
  type Converter,
  HostError,
  type Hosts,
  type Maybe,
  type NamespaceSource,
  type ParamSource,
  type ResourceMapper,
  type SchemaSource,
} from "./hosts.ts";
export { type Refusal, refusalText } from "./match/refusal.ts";
export { type AdmissionRequest, type Operation, requestValue, type UserInfo } from "./request.ts";
export {
  createPolicySet,
  type PolicyChange,
  type PolicyEntry,
  type PolicyResource,
  type PolicySet,
  type PolicySetOptions,
} from "./set/policy-set.ts";
