// Built-in kinds that are deprecated. Every request for one is answered with the warning, since the minor that it names.

import { emulationOf } from "../emulation.ts";
import type { Minor } from "../versions.ts";

interface Deprecation {
  readonly since: number;
  readonly text: string;
}

const DEPRECATIONS: Readonly<Record<string, Deprecation>> = {
  "v1/Endpoints": {
    since: 33,
    text: "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
  },
  "v1/ComponentStatus": { since: 19, text: "v1 ComponentStatus is deprecated in v1.19+" },
};

/** The warning of a deprecated kind. */
export function deprecationOf(apiVersion: string, kind: string, minor?: Minor): string | undefined {
  const deprecation = DEPRECATIONS[`${apiVersion}/${kind}`];
  return deprecation !== undefined && emulationOf(minor).since(deprecation.since) ? deprecation.text : undefined;
}
