// The resources that policies are made of, as data.

export * from "../policy.ts";
