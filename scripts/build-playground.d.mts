/** Builds the playground unless it is newer than its sources. */
export function buildPlayground(): Promise<void>;
