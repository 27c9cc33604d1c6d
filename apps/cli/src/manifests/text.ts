// Objects as one file of YAML documents.

import type { KubeObject } from "@celadon/kube";
import { toYaml } from "../output/format/yaml.ts";

export function manifestText(objects: readonly KubeObject[]): string {
  return objects.map((object) => toYaml(object)).join("---\n");
}
