// What programs in a cluster share: metrics and serving.

export { Counter, Histogram, Metrics } from "./metrics.ts";
export { type HandledRequest, type HandledResponse, type Handler, Serving, type ServingOptions } from "./serving.ts";
