// The shared parts of programs in a cluster: waiting for the API server, and serving.

export { type RetriedOptions, retried } from "./retried.ts";
export { type HandledRequest, type HandledResponse, type Handler, Serving, type ServingOptions } from "./serving.ts";
