// Built-in kinds of Kubernetes, offline: `@celadon/kube/builtin`.

export {
  BUILTIN_VERSION,
  type BuiltinResource,
  type BuiltinSubresource,
  builtinKind,
  builtinResource,
  builtinResources,
  builtinSchema,
  preferredResource,
} from "./builtin.ts";
