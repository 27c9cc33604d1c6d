// Loaded before a program (node --import): writes its peak memory, in kilobytes, to the file PEAK_MEMORY_FILE when it exits.

import { writeFileSync } from "node:fs";

const { PEAK_MEMORY_FILE } = process.env;
if (PEAK_MEMORY_FILE !== undefined) {
  process.on("exit", () => writeFileSync(PEAK_MEMORY_FILE, String(process.resourceUsage().maxRSS)));
}
