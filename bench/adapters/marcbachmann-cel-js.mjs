// @marcbachmann/cel-js: parsing also plans; checking works on the parsed form.

import { Environment } from "@marcbachmann/cel-js";

export const name = "@marcbachmann/cel-js";

const env = new Environment()
  .registerVariable("object", "dyn")
  .registerVariable("oldObject", "dyn")
  .registerVariable("params", "dyn");

export function compile(source) {
  const parsed = env.parse(source);
  const { valid, error } = parsed.check();
  if (!valid) throw error;
  return parsed;
}

export const stages = {
  parse: (source) => env.parse(source),
  check: (parsed) => parsed.check() && parsed,
  plan: null,
};
