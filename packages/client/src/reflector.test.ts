import { expect, onTestFinished, test } from "vitest";
import { fakeServer, sendStatus, THINGS, thing } from "./fake-server.testing.ts";
import { Reflector, type ReflectorOptions } from "./reflector.ts";

async function reflecting(options: Partial<ReflectorOptions> = {}, names: readonly string[] = ["a", "b", "c"]) {
  const server = await fakeServer();
  for (const name of names) server.put(thing(name));
  const told: string[] = [];
  const failures: unknown[] = [];
  const reflector = new Reflector(server.api, THINGS, {
    random: () => 0,
    changed: (changes) => {
      for (const { key, old, deleted, object } of changes)
        told.push(`${deleted ? "-" : old ? "~" : "+"}${key}=${object.value}`);
    },
    failed: (error) => failures.push(error),
    ...options,
  });
  onTestFinished(() => reflector.stop());
  reflector.start();
  await reflector.synced;
  return { server, reflector, told, failures };
}

test("a list in pages, then each change", async () => {
  const { server, reflector, told } = await reflecting({ pageSize: 2 });
  expect(server.asked.filter((line) => !line.includes("watch"))).toHaveLength(2);
  await expect.poll(() => server.openWatches()).toBe(1);
  server.put(thing("b", 2));
  server.remove("a");
  server.put(thing("d"));
  await expect.poll(() => told).toEqual(["+a=1", "+b=1", "+c=1", "~b=2", "-a=1", "+d=1"]);
  expect([...reflector.objects.keys()].sort()).toEqual(["b", "c", "d"]);
});

test("a watch that ends goes on where it was", async () => {
  const { server, told } = await reflecting();
  await expect.poll(() => server.openWatches()).toBe(1);
  server.put(thing("a", 2));
  await expect.poll(() => told.length).toBe(4);
  server.endWatches();
  server.put(thing("a", 3));
  await expect.poll(() => told).toEqual(["+a=1", "+b=1", "+c=1", "~a=2", "~a=3"]);
  expect(server.asked.filter((line) => !line.includes("watch"))).toHaveLength(1);
});

test("after a gap the list is compared, and every difference is reported once", async () => {
  const { server, told } = await reflecting();
  await expect.poll(() => server.openWatches()).toBe(1);
  server.handle = (_, response) => sendStatus(response, 503, "ServiceUnavailable");
  server.endWatches();
  server.put(thing("a", 9));
  server.remove("b");
  server.put(thing("e"));
  server.compact();
  server.handle = () => false;
  await expect.poll(() => told.slice(3).sort(), { timeout: 5000 }).toEqual(["+e=1", "-b=1", "~a=9"]);
});

test("a failing server is retried, and each failure is reported", async () => {
  const { server, told, failures } = await reflecting();
  await expect.poll(() => server.openWatches()).toBe(1);
  server.handle = (_, response) => response.destroy();
  server.endWatches();
  await expect.poll(() => failures.length).toBeGreaterThan(0);
  expect(failures[0]).toMatchObject({ name: "ConnectionError" });
  server.handle = () => false;
  server.put(thing("a", 5));
  await expect.poll(() => told.at(-1), { timeout: 5000 }).toBe("~a=5");
});

test("a silent watch is restarted", async () => {
  const { server, failures } = await reflecting({ stallMs: 30 });
  await expect.poll(() => failures.length).toBeGreaterThan(0);
  expect(String(failures[0])).toContain("nothing received for 30 ms");
  expect(server.asked.filter((line) => line.includes("watch")).length).toBeGreaterThan(0);
});

test("managedFields are not kept, and stop ends the watch", async () => {
  const { server, reflector } = await reflecting({}, []);
  await expect.poll(() => server.openWatches()).toBe(1);
  server.put({ ...thing("m"), metadata: { name: "m", managedFields: [{}] } });
  await expect.poll(() => reflector.objects.get("m")?.metadata).toEqual({ name: "m", resourceVersion: "2" });
  await reflector.stop();
  await expect.poll(() => server.openWatches()).toBe(0);
});
