// Services, endpoints and other kinds of the core group.

import { asJson, type Cases, DRY, meta, NAMESPACE, repeat } from "../samples.ts";

export const objectsCases: Cases = {
  "svc ports": (s) => ({
    method: "POST",
    path: `${NAMESPACE}/services${DRY}`,
    body: asJson({
      apiVersion: "v1",
      kind: "Service",
      metadata: meta(),
      spec: { ports: repeat(s / 30, (i) => ({ name: `a${i}`, port: 1 + (i % 65535) })) },
    }),
  }),
  "svc ports same": (s) => ({
    method: "POST",
    path: `${NAMESPACE}/services${DRY}`,
    body: asJson({
      apiVersion: "v1",
      kind: "Service",
      metadata: meta(),
      spec: { ports: repeat(s / 30, () => ({ name: "a", port: 1 })) },
    }),
  }),
  "svc nodeports": (s) => ({
    method: "POST",
    path: `${NAMESPACE}/services${DRY}`,
    body: asJson({
      apiVersion: "v1",
      kind: "Service",
      metadata: meta(),
      spec: { type: "NodePort", ports: repeat(s / 30, (i) => ({ name: `a${i}`, port: 1 + (i % 65535) })) },
    }),
  }),
  "svc external": (s) => ({
    method: "POST",
    path: `${NAMESPACE}/services${DRY}`,
    body: asJson({
      apiVersion: "v1",
      kind: "Service",
      metadata: meta(),
      spec: { externalIPs: repeat(s / 12, () => "1.1.1.1"), ports: [{ port: 1 }] },
    }),
  }),
  endpoints: (s) => ({
    method: "POST",
    path: `${NAMESPACE}/endpoints${DRY}`,
    body: asJson({
      apiVersion: "v1",
      kind: "Endpoints",
      metadata: meta(),
      subsets: [
        {
          addresses: repeat(s / 40, (i) => ({ ip: `1.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}` })),
          ports: repeat(s / 40, (i) => ({ name: `a${i}`, port: (i % 65535) + 1 })),
        },
      ],
    }),
  }),
  "endpoints subsets": (s) => ({
    method: "POST",
    path: `${NAMESPACE}/endpoints${DRY}`,
    body: asJson({
      apiVersion: "v1",
      kind: "Endpoints",
      metadata: meta(),
      subsets: repeat(s / 60, () => ({ addresses: [{ ip: "1.2.3.4" }], ports: [{ port: 1 }] })),
    }),
  }),
  slice: (s) => ({
    method: "POST",
    path: `/apis/discovery.k8s.io/v1/namespaces/default/endpointslices${DRY}`,
    body: asJson({
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: meta(),
      addressType: "IPv4",
      endpoints: repeat(s / 40, () => ({ addresses: ["1.1.1.1"] })),
      ports: [],
    }),
  }),
};
