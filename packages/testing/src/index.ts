// The public names.

export * from "./coverage/index.ts";
export * from "./suite/index.ts";
