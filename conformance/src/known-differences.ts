// Cases that are known to differ from what the suites expect, with the reason. One that is listed and passes fails the run,
// as does one that fails and is not listed.

export const knownDifferences: Readonly<Record<string, string>> = {};
