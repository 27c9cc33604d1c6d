// The thread for large requests: a server over the store of the one that listens, which prepares the store and runs the controllers.

import { createPrivateKey } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { staticTokens } from "./authn/static-tokens.ts";
import type { FromThread, LargeAnswer, LargeRequest, ThreadData, ToThread } from "./large/messages.ts";
import { PortStore } from "./large/store-port.ts";
import { ThreadCall } from "./large/thread-call.ts";
import { ApiServer } from "./server.ts";
import { isStream } from "./wire/call.ts";

const { options, tokens, tokenKey, address, store } = workerData as ThreadData;
const port = parentPort!;
const calls = new Map<number, ThreadCall>();

const server = new ApiServer({
  ...options,
  store: new PortStore(store),
  exclusive: false,
  follows: true,
  tokens: [staticTokens(new Map(Object.entries(tokens)))],
  tokenKey: createPrivateKey(tokenKey),
  address: () => address,
});

function send(message: FromThread): void {
  port.postMessage(message);
}

port.on("message", (message: ToThread) => {
  if (message.message === "ping") send({ message: "pong" });
  else if (message.message === "abort") calls.get(message.id)?.abort();
  else void answer(message.request);
});

async function answer(request: LargeRequest): Promise<void> {
  const call = new ThreadCall(request);
  calls.set(request.id, call);
  try {
    send({ message: "answer", answer: await answerOf(request, call) });
  } finally {
    calls.delete(request.id);
  }
}

async function answerOf(request: LargeRequest, call: ThreadCall): Promise<LargeAnswer> {
  await server.objects.feed.waitFor(request.revision);
  const { answer: given, failure, notes } = await server.serveAs(request.user, call);
  if (isStream(given)) throw new Error(`${call.method} ${call.path} answers with a stream`);
  const { code, type, body, headers } = given;
  const content = { code, type, body, ...(headers !== undefined && { headers }) };
  const { warnings, annotations, patchAnnotations } = notes;
  const noted = { warnings, annotations, patchAnnotations, revision: server.objects.feed.revision };
  return { id: request.id, content, failure, ...noted };
}

await server.start();
send({ message: "ready" });
