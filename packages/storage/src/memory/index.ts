// A store in memory, for tests and the browser: nothing here imports Node.

export type { MemoryOptions } from "./memory-store.ts";
export { openMemory } from "./memory-store.ts";
