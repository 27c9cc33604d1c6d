// Vectors that an emulated minor answers otherwise than the minor does, with the reason. A vector that agrees must leave the list.

import type { Minor } from "@celadon/kube/versions";

const FORMAT = "errors of format name the type of optionals as releases since cel-go 0.20 do";

type Reasons = Readonly<Record<string, string>>;

const because = (reason: string, ids: readonly string[]): Reasons => Object.fromEntries(ids.map((id) => [id, reason]));

export const KNOWN_MINOR_DIFFERENCES: Readonly<Partial<Record<Minor, Reasons>>> = {
  "1.30": because(FORMAT, [
    "format/dynamic-24",
    "format/dynamic-30",
    "format/dynamic-32",
    "reopened/055",
    "reopened/056",
  ]),
};
