// V8 for a server that has started. A command that ends soon wants few functions optimised (main.ts); a server wants all that its requests
// pass through: docs/decisions/0021-optimise-later.md.

import { setFlagsFromString } from "node:v8";

export function optimiseForRequests(): void {
  setFlagsFromString("--interrupt-budget=12000");
  setFlagsFromString("--no-parallel-scavenge");
}
