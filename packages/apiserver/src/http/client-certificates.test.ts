// Client certificates count while they are valid, for every request of a connection.

import { createPrivateKey } from "node:crypto";
import { Agent, get } from "node:https";
import { connect } from "node:tls";
import { issueCertificate, keyPem } from "@celadon/pki";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createPki, type Pki } from "../pki/authority.ts";
import { type TestServer, testServer } from "../server.testing.ts";
import { type Listener, listen } from "./listener.ts";

let running: TestServer;
let listener: Listener;
let pki: Pki;

beforeAll(async () => {
  pki = createPki(["127.0.0.1"]);
  running = await testServer();
  const { serverCertificate: certificate, serverKey: key, caCertificate } = pki;
  const tls = { certificate, key, clientCa: [caCertificate] };
  listener = await listen(running.server, { host: "127.0.0.1", port: 0, tls });
}, 60_000);
afterAll(async () => {
  await listener.close();
  await running.server.close();
});

const HOUR = 3_600_000;

function clientOf(
  commonName: string,
  hours: number,
  from = Date.now() - HOUR,
): { cert: string; key: string; ca: string } {
  const issued = issueCertificate({
    subject: { commonName, organizations: ["system:masters"] },
    days: hours / 24,
    from,
    usage: "client",
    issuer: { subject: { commonName: "celadon-ca" }, key: createPrivateKey(pki.caKey) },
  });
  return { cert: issued.certificate, key: keyPem(issued.key), ca: pki.caCertificate };
}

function codeOf(agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = get({ host: "127.0.0.1", port: listener.port, path: "/version", agent }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", reject);
  });
}

describe("a certificate that ends", () => {
  test("ends its user's rights on an open connection, and not before", async () => {
    const agent = new Agent({ ...clientOf("ann", 1), keepAlive: true, maxSockets: 1 });
    expect(await codeOf(agent)).toBe(200);
    const clock = vi.spyOn(Date, "now");
    try {
      const now = Date.now();
      clock.mockReturnValue(now + 0.9 * HOUR);
      expect(await codeOf(agent)).toBe(200);
      clock.mockReturnValue(now + 1.1 * HOUR);
      expect(await codeOf(agent)).toBe(401);
      clock.mockReturnValue(now - 1.5 * HOUR);
      expect(await codeOf(agent)).toBe(401);
    } finally {
      clock.mockRestore();
      agent.destroy();
    }
  });

  test("is not accepted on a new connection", async () => {
    const agent = new Agent(clientOf("ann", -0.1, Date.now() - 2 * HOUR));
    expect(await codeOf(agent)).toBe(401);
    agent.destroy();
  });
});

test.each(["TLSv1.2", "TLSv1.3"] as const)(
  "%s: no session is resumed, so that every certificate is verified",
  async (version) => {
    let session: Buffer | undefined;
    const open = (): Promise<boolean> =>
      new Promise((resolve, reject) => {
        let isReused = false;
        const options = { ...clientOf("ann", 1), minVersion: version, maxVersion: version, servername: "localhost" };
        const socket = connect(
          { port: listener.port, host: "127.0.0.1", ...options, ...(session && { session }) },
          () => {
            isReused = socket.isSessionReused();
            socket.write("GET /version HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
          },
        );
        socket.on("session", (given) => (session = given));
        socket.on("error", reject);
        socket.resume().on("close", () => resolve(isReused));
      });
    await open();
    expect(await open()).toBe(false);
  },
);
