// Vectors that an emulated minor answers otherwise than the minor does, with the reason. A vector that agrees must leave the list.

import type { Minor } from "@celadon/kube/versions";

const PORTS = "URLs are read as Go 1.26 reads them: a host has one port. Older servers are built with an older Go";
const BYTES = "the words of checks of names are those of 1.35: bytes, and a valid label key";
const TYPES = "a list's and a map's own type is printed with its parameters, which cel-go does since 0.26";

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
  "1.33": {
    ...UP_TO_34,
    ...because(TYPES, [
      "access/root-25",
      "convert/type-3",
      "convert/type-4",
      "convert/type-16",
      "convert/object-36",
      "message/472",
      "message/508",
      "message/509",
      "message/511",
      "message/512",
      "message/513",
      "message/514",
      "message/545",
      "message/550",
      "message/551",
      "message/567",
      "message/610",
      "message/611",
      "message/612",
      "message/613",
      "message/614",
      "message/615",
      "message/616",
      "message/617",
      "message/618",
      "message/619",
      "message/620",
      "message/637",
      "message/639",
      "message/647",
      "random/call-421",
      "random/call-596",
      "request/field-28",
      "request/field-30",
      "request/namespace-42",
      "types/name-19",
      "types/name-20",
    ]),
  },
};
