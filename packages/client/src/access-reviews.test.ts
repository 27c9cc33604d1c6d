import { expect, test } from "vitest";
import { AccessReviews } from "./access-reviews.ts";
import { fakeServer, send, sendStatus } from "./fake-server.testing.ts";

async function reviews(options = {}) {
  const server = await fakeServer();
  const clock = { now: 0 };
  server.handle = (_, response, body) => {
    const allowed = JSON.parse(body).spec.user === "ann";
    send(response, 201, { status: { allowed, reason: "RBAC" } });
    return true;
  };
  return { server, clock, reviews: new AccessReviews(server.api, { now: () => clock.now, ...options }) };
}

test("reviews are cached for a time, and requested once at a time", async () => {
  const { server, clock, reviews: access } = await reviews({ allowedMs: 100, deniedMs: 10 });
  const spec = { user: "ann", groups: ["g"], resourceAttributes: { verb: "get", resource: "pods" } };
  const answers = await Promise.all([
    access.review(spec),
    access.review({ resourceAttributes: spec.resourceAttributes, groups: spec.groups, user: spec.user }),
    access.review(spec),
  ]);
  expect(answers.map(({ allowed }) => allowed)).toEqual([true, true, true]);
  expect(server.asked).toHaveLength(1);
  clock.now = 99;
  await access.review(spec);
  expect(server.asked).toHaveLength(1);
  clock.now = 101;
  await access.review(spec);
  expect(server.asked).toHaveLength(2);
  await access.review({ user: "bob" });
  clock.now = 112;
  await access.review({ user: "bob" });
  expect(server.asked).toHaveLength(4);
});

test("a bounded number, and no failure is remembered", async () => {
  const { server, reviews: access } = await reviews({ entries: 3 });
  for (let i = 0; i < 10; i++) await access.review({ user: `u${i}` });
  expect(access.size).toBe(3);
  server.handle = (_, response) => sendStatus(response, 500, "InternalError");
  await expect(access.review({ user: "new" })).rejects.toMatchObject({ name: "ApiError", code: 500 });
  expect(access.size).toBeLessThanOrEqual(3);
  server.handle = (_, response) => send(response, 201, { status: { allowed: true } });
  expect((await access.review({ user: "new" })).allowed).toBe(true);
});
