// The public names.

export * from "./suite/index.ts";
