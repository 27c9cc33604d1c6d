// The distributed store over one member of etcd: the contract, and what is its own. Skipped where etcd is not installed.

import { afterAll, beforeAll, describe } from "vitest";
import { storageContract } from "../contract/contract.testing.ts";
import { type EtcdMember, findEtcd, startEtcd } from "../testing/index.ts";
import { openEtcd } from "./index.ts";

const etcd = findEtcd();

describe.skipIf(etcd === undefined)("etcd (skipped where it is not installed)", () => {
  let member: EtcdMember;
  let stores = 0;

  beforeAll(async () => {
    member = await startEtcd();
  }, 60_000);
  afterAll(() => member?.remove());

  storageContract("etcd", {
    open: () => openEtcd({ endpoints: [member.endpoint], prefix: `/store-${stores++}` }),
    randomRuns: 10,
    linearizableCalls: 60,
  });
});
