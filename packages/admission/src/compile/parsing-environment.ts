// An environment for parsing expressions of policies, with any names. Made on first use, and never changed.

import type { Env } from "@celadon/cel";
import { createEnvironment } from "./environments.ts";

let made: Env | undefined;

export function parsingEnvironment(): Env {
  made ??= createEnvironment({ params: true, authorizer: true, variables: true });
  return made;
}
