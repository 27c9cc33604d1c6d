import { readFileSync } from "node:fs";
import { Agent, get } from "node:https";
import { afterAll, expect, test } from "vitest";
import { startServer } from "./start-server.ts";

const server = await startServer({
  tokens: { secret: { username: "robot" } },
  manifests: `
apiVersion: v1
kind: ConfigMap
metadata: {name: first}
---
apiVersion: v1
kind: Namespace
metadata: {name: extra}
`,
});
afterAll(() => server.close());

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const namesIn = async (path: string): Promise<string[]> => {
  const { items } = (await server.client.call("GET", path)).json();
  return items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
};

test("manifests are applied, and again after a reset", async () => {
  await server.apply({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "second" } });
  expect(await namesIn(CONFIG_MAPS)).toEqual(expect.arrayContaining(["first", "second"]));
  await server.reset();
  const names = await namesIn(CONFIG_MAPS);
  expect([names.includes("first"), names.includes("second")]).toEqual([true, false]);
  expect(await namesIn("/api/v1/namespaces")).toContain("extra");
});

test("after a reset, a watch that resumes gets 410 Gone", async () => {
  const { metadata } = (await server.client.call("GET", CONFIG_MAPS)).json();
  const open = await server.client.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${metadata.resourceVersion}`);
  await server.reset();
  while ((await open.next()) !== undefined); // what controllers wrote before the reset may come first
  const resumed = await server.client.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${metadata.resourceVersion}`);
  expect((await resumed.next())?.object).toMatchObject({ code: 410, reason: "Expired" });
});

test("servers share nothing", async () => {
  const other = await startServer();
  await other.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: only-here}}");
  expect(await namesIn(CONFIG_MAPS)).not.toContain("only-here");
  expect([other.port === server.port, other.caCertificate === server.caCertificate]).toEqual([false, false]);
  await other.close();
});

test("a manifest that is refused is an error", async () => {
  await expect(server.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: A}}")).rejects.toThrow(
    /ConfigMap A: .*is invalid/,
  );
  await expect(server.apply("{apiVersion: example.com/v1, kind: Thing, metadata: {name: a}}")).rejects.toThrow(
    'no matches for kind "Thing"',
  );
});

test("users are distinguished over TLS", async () => {
  expect(readFileSync(server.kubeconfigFile, "utf8")).toBe(server.kubeconfig);
  const agent = new Agent({ ca: server.caCertificate });
  const ask = (headers: Record<string, string>): Promise<string> =>
    new Promise((resolve, reject) => {
      const sent = get(`${server.url}${CONFIG_MAPS}`, { agent, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        response.on("end", () => resolve(`${response.statusCode} ${JSON.parse(text).message}`));
      });
      sent.on("error", reject);
    });
  expect(await ask({})).toBe("401 Unauthorized");
  expect(await ask({ authorization: "Bearer secret" })).toMatch(
    /^403 configmaps is forbidden: User "robot" cannot list/,
  );
  expect((await server.as("ann").call("GET", CONFIG_MAPS)).code).toBe(403);
  agent.destroy();
});
