// The server answers refusals of the store as kube-apiserver does.

import { expect, test } from "vitest";
import { testServer } from "../server.testing.ts";

test("an object larger than a transaction of etcd is refused in etcd's words, on create and on update", async () => {
  const { server, admin } = await testServer();
  try {
    const path = "/api/v1/namespaces/default/podtemplates";
    const body = (size: number) => ({
      apiVersion: "v1",
      kind: "PodTemplate",
      metadata: { name: "t" },
      template: {
        metadata: { labels: { a: "b" } },
        spec: { containers: [{ name: "a", image: "a", env: [{ name: "A", value: "x".repeat(size) }] }] },
      },
    });
    const refused = { status: "Failure", message: "etcdserver: request is too large", code: 500 };
    expect((await admin.call("POST", path, { body: body(1_600_000) })).json()).toMatchObject(refused);
    expect((await admin.call("POST", path, { body: body(1) })).code).toBe(201);
    const larger = await admin.call("PUT", `${path}/t`, { body: body(1_600_000) });
    expect(larger.json()).toMatchObject(refused);
    expect(larger.json().reason).toBeUndefined();
    expect((await admin.call("GET", `${path}/t`)).text.length).toBeLessThan(2_000);
  } finally {
    await server.close();
  }
});
