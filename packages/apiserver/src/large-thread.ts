// The thread for large requests: a server over the store of the listening one, which prepares the store and runs the controllers.

import { createPrivateKey } from "node:crypto";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { staticTokens } from "./authn/static-tokens.ts";
import type { FromThread, LargeAnswer, LargeRequest, ThreadData, ToThread } from "./large/messages.ts";
import { PortStore } from "./large/store-port.ts";
import { ThreadCall } from "./large/thread-call.ts";
import { ApiServer } from "./server.ts";
import { isStream } from "./wire/call.ts";

/** Answers requests that come through the port, once the server has started. */
class LargeAnswers {
  readonly #server: ApiServer;
  readonly #port: MessagePort;
  readonly #calls = new Map<number, ThreadCall>();

  constructor(server: ApiServer, port: MessagePort) {
    this.#server = server;
    this.#port = port;
    port.on("message", (message: ToThread) => this.#receive(message));
  }

  async start(): Promise<void> {
    await this.#server.start();
    this.#send({ message: "ready" });
  }

  #receive(message: ToThread): void {
    if (message.message === "ping") this.#send({ message: "pong" });
    else if (message.message === "abort") this.#calls.get(message.id)?.abort();
    else void this.#answer(message.request);
  }

  async #answer(request: LargeRequest): Promise<void> {
    const call = new ThreadCall(request);
    this.#calls.set(request.id, call);
    try {
      this.#send({ message: "answer", answer: await this.#answerOf(request, call) });
    } finally {
      this.#calls.delete(request.id);
    }
  }

  async #answerOf({ id, user, revision }: LargeRequest, call: ThreadCall): Promise<LargeAnswer> {
    const { feed } = this.#server.objects;
    await feed.waitFor(revision);
    const { answer, failure, notes } = await this.#server.serveAs(user, call);
    if (isStream(answer)) throw new Error(`${call.method} ${call.path} answers with a stream`);
    const { code, type, body, headers } = answer;
    const content = { code, type, body, ...(headers !== undefined && { headers }) };
    const { warnings, annotations, patchAnnotations } = notes;
    const counts = this.#server.metrics.take();
    return { id, content, failure, warnings, annotations, patchAnnotations, counts, revision: feed.revision };
  }

  #send(message: FromThread): void {
    this.#port.postMessage(message);
  }
}

const { options, tokens, tokenKey, address, store } = workerData as ThreadData;
const server = new ApiServer({
  ...options,
  store: new PortStore(store),
  exclusive: false,
  follows: true,
  tokens: [staticTokens(new Map(Object.entries(tokens)))],
  tokenKey: createPrivateKey(tokenKey),
  address: () => address,
});
await new LargeAnswers(server, parentPort!).start();
