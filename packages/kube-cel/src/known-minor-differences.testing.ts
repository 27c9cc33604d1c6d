// Vectors that an emulated minor answers otherwise than the minor does, with the reason. A vector that agrees must leave the list.

import type { Minor } from "@celadon/kube/versions";

const PORTS = "URLs are read as Go 1.26 reads them: a host has one port. Older servers are built with an older Go";
const BYTES = "the words of checks of names are those of 1.35: bytes, and a valid label key";

type Reasons = Readonly<Record<string, string>>;

const because = (reason: string, ids: readonly string[]): Reasons => Object.fromEntries(ids.map((id) => [id, reason]));

const UP_TO_34: Reasons = {
  ...because(PORTS, ["random/query-2852"]),
  ...because(BYTES, [
    "k8sformat/validate-40",
    "k8sformat/validate-46",
    "k8sformat/validate-50",
    "k8sformat/validate-76",
  ]),
};

export const KNOWN_MINOR_DIFFERENCES: Readonly<Partial<Record<Minor, Reasons>>> = {
  "1.35": because(PORTS, ["random/query-2852"]),
  "1.34": UP_TO_34,
  "1.33": UP_TO_34,
};
