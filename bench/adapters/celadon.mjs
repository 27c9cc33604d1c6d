// @celadon/cel, as it is by default: compiled to JavaScript once it has been evaluated a few times, cost counted.

import { createEnv, DYN, isError } from "@celadon/cel";

export const name = "celadon";

const env = createEnv({ variables: { object: DYN, oldObject: DYN, params: DYN } });

export function compile(source) {
  const program = env.program(source);
  return (vars) => {
    const value = program.run(vars);
    if (isError(value)) throw new Error(value.message);
    return value;
  };
}

export const stages = {
  parse: (source) => env.parse(source),
  check: (parsed) => env.check(parsed.ast),
  plan: (checked) => env.plan(checked),
};
