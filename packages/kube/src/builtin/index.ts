// Built-in kinds of Kubernetes, offline, and whether objects have their shape: `@celadon/kube/builtin`.

export { checkShape, type ShapeProblem, type ShapeProblemCode } from "../shape/check-shape.ts";
export {
  type BuiltinResource,
  type BuiltinSubresource,
  builtinKind,
  builtinResource,
  builtinResources,
  builtinSchema,
  preferredResource,
} from "./builtin.ts";
