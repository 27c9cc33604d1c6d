// The public names.

export * from "./absence/index.ts";
export * from "./coverage/index.ts";
export * from "./import/index.ts";
export * from "./mutate/index.ts";
export * from "./suite/index.ts";
