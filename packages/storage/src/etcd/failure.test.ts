import { expect, test } from "vitest";
import { CallFailure } from "./connection.ts";
import { remedyOf, storeFailure } from "./failure.ts";

// biome-ignore format: one answer of etcd per line
const answers: [status: number, message: string, isRead: boolean, remedy: string, code: string, outcomeUnknown: boolean][] = [
  [14, "etcdserver: no leader",                                        false, "elsewhere",    "unavailable",     false],
  [14, "etcdserver: server stopped",                                   false, "throw",        "unavailable",     true],
  [14, "etcdserver: server stopped",                                   true,  "elsewhere",    "unavailable",     false],
  [14, "etcdserver: request timed out, possibly due to connection lost", false, "throw",      "unavailable",     true],
  [4,  "did not respond within 5000 ms",                                    false, "throw",        "unavailable",     true],
  [8,  "etcdserver: too many requests",                                false, "elsewhere",    "unavailable",     false],
  [8,  "etcdserver: mvcc: database space exceeded",                    false, "throw",        "no_space",        true],
  [11, "etcdserver: mvcc: required revision has been compacted",       true,  "throw",        "compacted",       false],
  [11, "etcdserver: mvcc: required revision is a future revision",     true,  "throw",        "future_revision", false],
  [3,  "etcdserver: request is too large",                             false, "throw",        "too_large",       false],
  [3,  "etcdserver: too many operations in txn request",               false, "throw",        "too_large",       false],
  [7,  "etcdserver: permission denied",                                true,  "throw",        "denied",          false],
  [3,  "etcdserver: authentication failed, invalid user ID or password", true, "throw",       "denied",          false],
  [16, "etcdserver: invalid auth token",                               false, "authenticate", "denied",          false],
  [3,  "etcdserver: revision of auth store is old",                    false, "authenticate", "unavailable",     false],
];
test.each(answers)("%i %s, a read: %s", (status, message, isRead, remedy, code, outcomeUnknown) => {
  const failure = new CallFailure(status, message, true);
  expect(remedyOf(failure, isRead)).toBe(remedy);
  expect(storeFailure(failure, isRead, 7)).toMatchObject({ code, outcomeUnknown });
});
