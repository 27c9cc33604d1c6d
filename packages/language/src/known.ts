// The state of a workspace as the features that answer questions see it.

import type { Schemas } from "@celadon/admission/memory";
import type { SimulatedCluster } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import type { File, PlacedResource } from "./document/file.ts";
import type { Sites } from "./expression/sites.ts";

export interface Known {
  readonly options: {
    /** Whether keys and values of YAML are completed too, or expressions alone. */
    readonly yamlKeys?: boolean;
  };
  /** The cluster that the workspace's manifests make. */
  readonly simulated: SimulatedCluster;
  /** The names that expressions may use, by the definitions of the workspace. */
  readonly sites: Sites;
  readonly schemas: Schemas;
  file(uri: string): File | undefined;
  /** All objects with where they stand. */
  placed(): ReadonlyMap<Manifest, PlacedResource>;
}
