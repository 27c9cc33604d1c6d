// The steps of admission one by one, for hosts that put them together themselves: find, match, bind, evaluate, decide, report.

export { admitFound, evaluateEntries } from "../admit.ts";
export {
  type CompiledBinding,
  type CompiledPolicy,
  compileBinding,
  compilePolicy,
  type Expression,
} from "../compile/compile.ts";
export { PolicyCompiler } from "../compile/policy-compiler.ts";
export { decide } from "../decide/decide.ts";
export { type ConditionCheck, conditionChecks, type PolicyCheck, policyChecks } from "../decide/policy-checks.ts";
export { report } from "../decide/report.ts";
export { RequestContext, type VersionedObjects } from "../evaluate/context.ts";
export { type AuditAnnotationResult, type Costs, type Evaluation, evaluatePolicy } from "../evaluate/evaluate.ts";
export { type CompiledMatch, nearMiss } from "../match/match-resources.ts";
export { refusingPart } from "../match/rules.ts";
export { match } from "../match.ts";
export { Reinvocation } from "../reinvocation.ts";
export { candidatesIn } from "../set/candidates.ts";
export { applySilently } from "../silence.ts";
