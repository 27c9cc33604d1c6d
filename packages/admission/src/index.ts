// The public names. In-memory hosts are in `@celadon/admission/memory`, checks of the resources themselves in
// `@celadon/admission/resources`.

export * from "./policy.ts";
export type { KubeObject, ObjectMeta } from "./object.ts";
