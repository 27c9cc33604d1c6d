// Clashing ports are the same as those that a comparison of all with all finds.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { ContainerPort } from "../../../../api/generated/core-v1.ts";
import { FieldPath } from "../../../../field-path.ts";
import { PortsInUse } from "./port-clashes.ts";

const at = (): FieldPath => FieldPath.root;

/** Upstream's comparison of two ports: pkg/api/pod/warnings.go. */
function clash(port: ContainerPort, other: ContainerPort): string | undefined {
  const [ip, otherIp] = [port.hostIP ?? "", other.hostIP ?? ""];
  const [host, otherHost] = [port.hostPort ?? 0, other.hostPort ?? 0];
  if (ip === otherIp && host === otherHost) return "duplicate";
  if (host === 0 || otherHost === 0) return "overlapping";
  return host === otherHost && (ip === "") !== (otherIp === "") ? "dangerously ambiguous" : undefined;
}

const ports = fc.array(
  fc.record({
    containerPort: fc.constant(80),
    hostPort: fc.integer({ min: 0, max: 3 }),
    hostIP: fc.constantFrom("", "1.1.1.1", "2.2.2.2"),
  }),
  { maxLength: 12 },
);

test("the same clashes in the same order", () => {
  fc.assert(
    fc.property(ports, (list) => {
      const known = new PortsInUse();
      list.forEach((port, i) => {
        const found = [...known.clashes(port)].map(({ clash: how, other }) => [how, list.indexOf(other.port as never)]);
        const wanted = list.slice(0, i).flatMap((other, j) => {
          const how = clash(port, other);
          return how === undefined ? [] : [[how, j]];
        });
        expect(found).toEqual(wanted);
        known.add({ port, at });
      });
    }),
  );
});

test("ports that cannot clash are not looked at", () => {
  const known = new PortsInUse();
  let looked = 0;
  for (let i = 0; i < 2_000; i++) {
    const port = { containerPort: 80, hostPort: 1 + i, hostIP: "1.1.1.1" };
    looked += [...known.clashes(port)].length;
    known.add({
      at,
      get port() {
        looked += 1;
        return port;
      },
    });
  }
  expect(looked).toBeLessThan(5_000);
});
