// The public names: suites, how they are read and run. Other subjects have entry points of their own.

export * from "./suite/index.ts";
