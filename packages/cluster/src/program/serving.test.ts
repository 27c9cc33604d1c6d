import { request } from "node:https";
import { issueCertificate, keyPem } from "@celadon/pki";
import { expect, onTestFinished, test } from "vitest";
import { type Handler, Serving, type ServingOptions } from "./serving.ts";

const made = () => {
  const { certificate, key } = issueCertificate({
    subject: { commonName: "s" },
    days: 1,
    usage: "server",
    names: ["127.0.0.1"],
  });
  return { certificate, key: keyPem(key) };
};

async function serving(handler: Handler, options: Partial<ServingOptions> = {}) {
  const server = new Serving({ host: "127.0.0.1", port: 0, tls: made(), handler, ...options });
  const { port } = await server.listen();
  onTestFinished(() => server.close());
  const post = (
    body: string,
    path = "/x?a=1",
  ): Promise<{ status: number; body: string; fingerprint: string; connection: string | undefined }> =>
    new Promise((resolve, reject) => {
      const sent = request(
        { host: "127.0.0.1", port, path, method: "POST", rejectUnauthorized: false, agent: false },
        (response) => {
          let text = "";
          const { fingerprint } = (
            response.socket as unknown as { getPeerCertificate(): { fingerprint: string } }
          ).getPeerCertificate();
          response.on("data", (chunk) => (text += chunk));
          response.on("end", () =>
            resolve({ status: response.statusCode!, body: text, fingerprint, connection: response.headers.connection }),
          );
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });
  return { server, post, port };
}

test("path, query and body reach the handler; clients do not see the cause of a failure", async () => {
  const failures: unknown[] = [];
  const { post } = await serving(
    ({ method, path, query, body }) => {
      if (body === "boom") throw new Error("secret");
      return { status: 201, body: `${method} ${path} ${query.get("a")} ${body}` };
    },
    { failed: (error) => failures.push(error) },
  );
  expect(await post("hello")).toMatchObject({ status: 201, body: "POST /x 1 hello" });
  expect(await post("boom")).toMatchObject({ status: 500, body: "internal error\n" });
  expect(failures).toHaveLength(1);
});

test("bounds: the body, and requests at once", async () => {
  let release: () => void = () => {};
  const waiting = new Promise<void>((resolve) => (release = resolve));
  const { server, post } = await serving(
    async () => {
      await waiting;
      return { status: 200, body: "" };
    },
    { maxBodyBytes: 10, maxInFlight: 1 },
  );
  const first = post("x");
  await expect.poll(() => server.inFlight).toBe(1);
  expect((await post("y")).status).toBe(429);
  release();
  expect((await first).status).toBe(200);
  expect((await post("x".repeat(11))).status).toBe(413);
  expect((await post("x".repeat(10))).status).toBe(200);
});

test("a body that is too large", async () => {
  const { post } = await serving(() => ({ status: 200, body: "" }), { maxBodyBytes: 10 });
  expect((await post("x".repeat(11))).status).toBe(413);
  expect((await post("x".repeat(10))).status).toBe(200);
});

test("a certificate is replaced while it serves, and the end waits for requests under way", async () => {
  let release: () => void = () => {};
  const { server, post } = await serving(async ({ body }) => {
    if (body === "wait") await new Promise<void>((resolve) => (release = resolve));
    return { status: 200, body: "done" };
  });
  const before = await post("");
  server.replaceCertificate(made());
  expect((await post("")).fingerprint).not.toBe(before.fingerprint);
  const waiting = post("wait");
  await expect.poll(() => server.inFlight).toBe(1);
  const closed = server.close();
  release();
  expect(await waiting).toMatchObject({ status: 200, body: "done" });
  await closed;
});

function authorityOf(commonName: string) {
  const { certificate, key } = issueCertificate({ subject: { commonName }, days: 1, usage: "authority" });
  return { certificate, issuer: { subject: { commonName }, key } };
}

test("reviews of millions of values are not read, and small ones are answered meanwhile", async () => {
  let handled = 0;
  const { post } = await serving(({ body }) => {
    handled++;
    return { status: 200, body: String(body.length) };
  });
  const huge = `[${"{},".repeat(2_200_000)}{}]`;
  const hostile = Array.from({ length: 9 }, () => post(huge).catch((error: Error) => ({ status: error.message })));
  for (let i = 0; i < 20; i++) expect((await post("{}")).status).toBe(200);
  expect((await Promise.all(hostile)).every(({ status }) => status !== 200)).toBe(true);
  expect(handled).toBe(20);
});

test("with an authority for clients, only its certificates may POST, and probes may GET", async () => {
  const authority = authorityOf("clients");
  const stranger = authorityOf("others");
  const { port } = await serving(() => ({ status: 200, body: "ok" }), { clientCa: authority.certificate });
  const ask = (method: string, by?: ReturnType<typeof authorityOf>): Promise<number> =>
    new Promise((resolve, reject) => {
      const client =
        by && issueCertificate({ subject: { commonName: "api" }, days: 1, usage: "client", issuer: by.issuer });
      const sent = request(
        {
          host: "127.0.0.1",
          port,
          method,
          rejectUnauthorized: false,
          agent: false,
          ...(client && { cert: client.certificate, key: keyPem(client.key) }),
        },
        (response) => {
          response.resume();
          response.once("end", () => resolve(response.statusCode ?? 0));
        },
      );
      sent.on("error", reject);
      sent.end();
    });
  expect(await ask("POST", authority)).toBe(200);
  expect(await ask("POST")).toBe(403);
  expect(await ask("POST", stranger)).toBe(403);
  expect(await ask("GET")).toBe(200);
});
