import { expect, onTestFinished, test } from "vitest";
import { type FakeServer, fakeServer, sendStatus } from "./fake-server.testing.ts";
import { LeaderElection } from "./lease.ts";

function candidate(server: FakeServer, identity: string, clock: { now: number }, leaseMs = 3000) {
  const told: string[] = [];
  const election = new LeaderElection(server.api, {
    namespace: "n",
    name: "l",
    identity,
    leaseMs,
    renewMs: 2000,
    retryMs: 5,
    now: () => clock.now,
    started: () => told.push("started"),
    stopped: () => told.push("stopped"),
  });
  onTestFinished(() => election.stop());
  election.start();
  return { election, told };
}

test("one leads; another only after the lease is over by its own clock", async () => {
  const server = await fakeServer();
  const clock = { now: 0 };
  const a = candidate(server, "a", clock);
  await expect.poll(() => a.election.leads).toBe(true);
  const b = candidate(server, "b", clock);
  // a stops hearing: it stops leading when its time is over, and b starts when the lease is over.
  await expect.poll(() => server.asked.length).toBeGreaterThan(6);
  expect(b.election.leads).toBe(false);
  server.handle = (request, response, body) => {
    const isA = request.method === "PUT" && body.includes('"holderIdentity":"a"');
    if (isA) sendStatus(response, 500, "InternalError");
    return isA;
  };
  clock.now = 2500;
  await expect.poll(() => a.told).toEqual(["started", "stopped"]);
  expect(b.election.leads).toBe(false);
  const laterLeads = (): boolean => {
    clock.now += 1000;
    return b.election.leads;
  };
  await expect.poll(laterLeads).toBe(true);
});

test("who stops gives the lease back", async () => {
  const server = await fakeServer();
  const clock = { now: 0 };
  const a = candidate(server, "a", clock, 3_600_000);
  await expect.poll(() => a.election.leads).toBe(true);
  const b = candidate(server, "b", clock, 3_600_000);
  await a.election.stop();
  expect(a.told).toEqual(["started", "stopped"]);
  await expect.poll(() => b.election.leads).toBe(true);
});
