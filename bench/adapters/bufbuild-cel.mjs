// @bufbuild/cel: parse and plan; its checker is not part of its public interface.

import { CelScalar, celEnv, isCelError, parse, plan } from "@bufbuild/cel";

export const name = "@bufbuild/cel";

const { DYN } = CelScalar;
const env = celEnv({ variables: { object: DYN, oldObject: DYN, params: DYN } });

export function compile(source) {
  const evaluate = plan(env, parse(source));
  return (vars) => {
    const result = evaluate(vars);
    if (isCelError(result)) throw result;
    return result;
  };
}

export const stages = { parse, check: null, plan: (parsed) => plan(env, parsed) };
