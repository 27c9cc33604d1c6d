// `celadon up` that cannot start.

import { expect, test } from "vitest";
import { celadon, folder } from "./run.testing.ts";

test("an etcd cluster that cannot be reached is an error with a message, not a process that ends without one", async () => {
  const cwd = folder({});
  // Nobody listens there: the port is reserved.
  const argv = ["up", "--etcd-servers", "http://127.0.0.1:1", "--data-dir", cwd, "--port", "0"];
  const { code, stdout, stderr } = await celadon(argv, { cwd });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("celadon: the etcd cluster cannot be used: etcd is not available: ");
}, 60_000);
