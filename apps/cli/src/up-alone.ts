// The verbs of the file that servers are started from: `up` alone. Its bundle has this in the place of index.ts.

import { command } from "./commands/up.ts";
import type { CommandEntry } from "./program/command.ts";

const { name, summary } = command;
export const verbs: readonly CommandEntry[] = [{ name, summary, load: async () => ({ command }) }];
