// Addresses of services come from the range of the server, whatever its size.

import { expect, test } from "vitest";
import { testServer } from "../server.testing.ts";

const SERVICES = "/api/v1/namespaces/default/services";

async function servicesOf(serviceRange: string, count: number): Promise<readonly string[]> {
  const { server, admin } = await testServer({ serviceRange });
  const addresses: string[] = [];
  for (let i = 0; i < count; i++) {
    const body = { metadata: { name: `s${i}` }, spec: { ports: [{ port: 80 }] } };
    const reply = await admin.call("POST", SERVICES, { body });
    addresses.push(reply.code === 201 ? reply.json().spec.clusterIP : reply.text);
  }
  await server.close();
  return addresses;
}

test.each([
  ["10.1.0.0/16", "10.1.1.0"],
  ["10.1.2.0/24", "10.1.2.16"],
  ["10.1.2.32/27", "10.1.2.48"],
])("%s: the first address that is given is %s", async (range, first) => {
  expect(await servicesOf(range, 1)).toEqual([first]);
});

test("a range that is full refuses, after the addresses for requests have been given too", async () => {
  const all = await servicesOf("10.1.2.64/28", 14);
  // The first address is the server's own.
  expect(all.slice(0, 13).sort()).toEqual(Array.from({ length: 13 }, (_, i) => `10.1.2.${66 + i}`).sort());
  expect(all[13]).toContain("failed to allocate a serviceIP: range is full");
});
