// The public names: suites, how they are read and run. What else there is has entry points of its own.

export * from "./suite/index.ts";
