// An environment for parsing expressions of policies, whatever names they use. Made on first use, and never changed.

import type { Env } from "@celadon/cel";
import { createEnvironment } from "./environments.ts";

let made: Env | undefined;

export function parsingEnvironment(): Env {
  made ??= createEnvironment({ params: true, authorizer: true, variables: true });
  return made;
}
