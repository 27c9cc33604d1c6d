// The verbs of the file that servers are started from: `up` alone. Its bundle has this in the place of index.ts.

import type { CommandEntry } from "../program/command.ts";
import { command } from "./up.ts";

const { name, summary } = command;
export const verbs: readonly CommandEntry[] = [{ name, summary, load: async () => ({ command }) }];
