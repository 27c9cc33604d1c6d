// Vectors that an emulated minor answers otherwise than the minor does, with the reason. One that comes to agree must leave the list.

import type { Minor } from "@celadon/kube";

export const KNOWN_MINOR_DIFFERENCES: Readonly<Partial<Record<Minor, Readonly<Record<string, string>>>>> = {};
