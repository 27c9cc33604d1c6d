import { expect, test } from "vitest";
import { decodeProtobuf } from "./decode.ts";

/** A message by hand: texts, messages and numbers by field number. */
type Part = readonly [field: number, value: string | number | boolean | Uint8Array | readonly Part[]];

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return [...bytes, rest];
}

function message(parts: readonly Part[]): Uint8Array {
  return Buffer.concat(
    parts.map(([field, value]) => {
      if (typeof value === "number" || typeof value === "boolean")
        return Buffer.from([...varint(field * 8), ...varint(Number(value))]);
      const bytes =
        typeof value === "string" ? Buffer.from(value) : value instanceof Uint8Array ? value : message(value);
      return Buffer.concat([Buffer.from([...varint(field * 8 + 2), ...varint(bytes.length)]), bytes]);
    }),
  );
}

function body(apiVersion: string, kind: string, parts: readonly Part[]): Uint8Array {
  const envelope = message([
    [
      1,
      [
        [1, apiVersion],
        [2, kind],
      ],
    ],
    [2, parts],
  ]);
  return Buffer.concat([Buffer.from("k8s\0"), envelope]);
}

const metadata: Part = [
  1,
  [
    [1, "web"],
    [8, []],
    [
      11,
      [
        [1, "app"],
        [2, "web"],
      ],
    ],
    [11, [[1, "empty"]]],
  ],
];

test.each<[string, string, readonly Part[], unknown]>([
  [
    "v1",
    "ConfigMap",
    [
      metadata,
      [
        2,
        [
          [1, "a"],
          [2, "ü"],
        ],
      ],
    ],
    { metadata: { name: "web", creationTimestamp: null, labels: { app: "web", empty: "" } }, data: { a: "ü" } },
  ],
  [
    "v1",
    "Secret",
    [
      [
        2,
        [
          [1, "p"],
          [2, new Uint8Array([0, 255])],
        ],
      ],
      [3, "Opaque"],
    ],
    { data: { p: "AP8=" }, type: "Opaque" },
  ],
  // A volume's source stands in the volume itself, numbers and texts in one field, times as text.
  [
    "v1",
    "Pod",
    [
      [
        2,
        [
          [
            1,
            [
              [1, "v"],
              [2, [[2, []]]],
            ],
          ],
          [
            2,
            [
              [1, "c"],
              [6, [[3, 80]]],
            ],
          ],
        ],
      ],
    ],
    { spec: { volumes: [{ name: "v", emptyDir: {} }], containers: [{ name: "c", ports: [{ containerPort: 80 }] }] } },
  ],
  [
    "policy/v1",
    "PodDisruptionBudget",
    [
      [
        2,
        [
          [
            1,
            [
              [1, 1],
              [3, "50%"],
            ],
          ],
          [3, [[2, 7]]],
        ],
      ],
    ],
    { spec: { minAvailable: "50%", maxUnavailable: 7 } },
  ],
  [
    "coordination.k8s.io/v1",
    "Lease",
    [
      [
        2,
        [
          [
            3,
            [
              [1, 1_700_000_000],
              [2, 5_000],
            ],
          ],
        ],
      ],
    ],
    { spec: { acquireTime: "2023-11-14T22:13:20.000005Z" } },
  ],
  [
    "v1",
    "DeleteOptions",
    [
      [1, 5],
      [4, "Foreground"],
    ],
    { gracePeriodSeconds: 5, propagationPolicy: "Foreground" },
  ],
  [
    "apiextensions.k8s.io/v1",
    "CustomResourceDefinition",
    [
      [
        2,
        [
          [
            7,
            [
              [1, "v1"],
              [
                4,
                [
                  [
                    1,
                    [
                      [5, "object"],
                      [30, [[1, true]]],
                      [38, true],
                    ],
                  ],
                ],
              ],
            ],
          ],
        ],
      ],
    ],
    {
      spec: {
        versions: [
          {
            name: "v1",
            schema: {
              openAPIV3Schema: {
                type: "object",
                additionalProperties: true,
                "x-kubernetes-preserve-unknown-fields": true,
              },
            },
          },
        ],
      },
    },
  ],
  [
    "authorization.k8s.io/v1",
    "SubjectAccessReview",
    [
      [
        2,
        [
          [
            5,
            [
              [1, "k"],
              [
                2,
                [
                  [1, "x"],
                  [1, "y"],
                ],
              ],
            ],
          ],
        ],
      ],
    ],
    { spec: { extra: { k: ["x", "y"] } } },
  ],
])("%s %s", (apiVersion, kind, parts, want) => {
  expect(decodeProtobuf(body(apiVersion, kind, parts))).toEqual({ apiVersion, kind, ...(want as object) });
});

test("bytes that are no message are refused", () => {
  const good = body("v1", "ConfigMap", [metadata]);
  const bad = [
    new Uint8Array(0),
    Buffer.from("{}"),
    Buffer.from("k8s\0"),
    body("v1", "Nothing", []),
    body("v1", "ConfigMap", [[1, 5]]),
  ];
  // A body that ends after the envelope's first part is an object without fields.
  const envelope = 6 + good[5]!;
  for (let length = 5; length < good.length; length++) if (length !== envelope) bad.push(good.subarray(0, length));
  for (const bytes of bad) expect(() => decodeProtobuf(bytes)).toThrow(/protobuf|proto:|no kind|EOF|empty/);
});
