import fc from "fast-check";
import { expect, test } from "vitest";
import { isWebSocketRequest } from "./web-socket.ts";

const isUpgrade = (connection: string): boolean =>
  isWebSocketRequest({ header: (name) => (name === "upgrade" ? "WebSocket" : connection) });

test("the Connection header is read as Go's pattern reads it", () => {
  const pattern = /(^|.*,\s*)upgrade($|\s*,)/;
  const piece = fc.constantFrom("upgrade", "Upgrade", "keep-alive", ",", " ", "\t", ", ", "x");
  const header = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(header, (connection) => {
      expect(isUpgrade(connection)).toBe(pattern.test(connection.toLowerCase()));
    }),
    { numRuns: 2_000 },
  );
});

test.each([",", ", ", " ", "upgrade ", ",upgrade x"])("64 kB of %j take no time", (piece) => {
  const started = performance.now();
  expect(isUpgrade(`${piece.repeat(64_000 / piece.length)}x`)).toBe(false);
  expect(performance.now() - started).toBeLessThan(1_000);
});
