// Built-in kinds that are deprecated. Every request for one is answered with the warning.

const DEPRECATIONS: Readonly<Record<string, string>> = {
  "v1/Endpoints": "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
  "v1/ComponentStatus": "v1 ComponentStatus is deprecated in v1.19+",
};

/** The warning of a deprecated kind. */
export function deprecationOf(apiVersion: string, kind: string): string | undefined {
  return DEPRECATIONS[`${apiVersion}/${kind}`];
}
