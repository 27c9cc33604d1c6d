// Watches over WebSockets: the handshake, with the answers of Go's x/net/websocket where it fails, and a stream whose events are messages.

import type { Socket } from "node:net";
import { JSON_TYPE } from "../wire/accept.ts";
import type { Call, Sink, Stream } from "../wire/call.ts";
import { offeredProtocols } from "../wire/web-socket.ts";
import { acceptOf, BINARY, CLOSE, FrameReader, frameOf, PING, PONG, TEXT } from "./frames.ts";

/** Opens the stream on the connection, or says why the handshake failed. `head`: bytes that came after the request. */
export function openWebSocket(call: Call, socket: Socket, head: Buffer, stream: Stream): void {
  const refusal = refusalOf(call);
  if (refusal !== undefined) {
    socket.end(refusal);
    return;
  }
  const [protocol] = offeredProtocols(call).names;
  const lines = [
    "HTTP/1.1 101 Switching Protocols",
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Accept: ${acceptOf(call.header("sec-websocket-key") ?? "")}`,
    ...(protocol === undefined ? [] : [`Sec-WebSocket-Protocol: ${protocol}`]),
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  listen(socket, head);
  stream.open(new WebSocketSink(socket, stream.type !== JSON_TYPE));
}

const refused = (line: string, body = ""): string => `HTTP/1.1 ${line}\r\n\r\n${body}`;

function refusalOf(call: Call): string | undefined {
  if (call.header("sec-websocket-key") === undefined) {
    return refused("400 Bad Request", "mismatch challenge/response");
  }
  if (call.header("sec-websocket-version") !== "13") {
    return refused("400 Bad Request\r\nSec-WebSocket-Version: 13", "missing or bad WebSocket Version");
  }
  if (!hasOrigin(call)) return refused("403 Forbidden");
  return offeredProtocols(call).names.length > 1 ? refused("400 Bad Request") : undefined;
}

/** Go reads the origin as the URI of a request: absolute, or a path. */
function hasOrigin(call: Call): boolean {
  const origin = call.header("origin") ?? "";
  return origin.startsWith("/") || URL.canParse(origin);
}

/** Codes of close frames. */
const NORMAL = Buffer.from([0x03, 0xe8]);
const PROTOCOL_ERROR = Buffer.from([0x03, 0xea]);

function endWith(socket: Socket, code: Uint8Array): void {
  if (socket.writable) socket.end(frameOf(CLOSE, code));
}

/** Answers that a client of signs of life has not read; further ones are left out, or who sends and never reads would fill the memory. */
const MOST_UNREAD = 64 * 1024;

const mayAnswer = (socket: Socket): boolean => socket.writable && socket.writableLength < MOST_UNREAD;

/** Clients of a watch only send signs of life, or close it. */
function listen(socket: Socket, head: Buffer): void {
  const reader = new FrameReader({
    control(opcode, payload) {
      if (opcode === CLOSE) endWith(socket, NORMAL);
      else if (opcode === PING && mayAnswer(socket)) socket.write(frameOf(PONG, payload));
    },
    malformed: () => endWith(socket, PROTOCOL_ERROR),
  });
  socket.on("data", (chunk: Buffer) => reader.read(chunk));
  reader.read(head);
}

/** The last message: mostly the next watcher gets the same. */
let last: { readonly chunk: Uint8Array; readonly isBinary: boolean; readonly frame: Buffer } | undefined;

function messageOf(chunk: Uint8Array, isBinary: boolean): Buffer {
  if (last?.chunk !== chunk || last.isBinary !== isBinary) {
    // The length before each protobuf event is the frame's.
    const frame = isBinary ? frameOf(BINARY, chunk.subarray(LENGTH_BYTES)) : frameOf(TEXT, chunk);
    last = { chunk, isBinary, frame };
  }
  return last.frame;
}

const LENGTH_BYTES = 4;

/** Each event is a message: text for JSON, bytes for protobuf. */
class WebSocketSink implements Sink {
  readonly #socket: Socket;
  readonly #isBinary: boolean;
  #isHolding = false;

  constructor(socket: Socket, isBinary: boolean) {
    this.#socket = socket;
    this.#isBinary = isBinary;
  }

  get pending(): number {
    return this.#socket.writableLength;
  }

  write(chunk: Uint8Array): void {
    if (this.#socket.writable) this.#socket.write(messageOf(chunk, this.#isBinary));
  }

  hold(): void {
    if (!this.#isHolding) this.#socket.cork();
    this.#isHolding = true;
  }

  release(): void {
    if (this.#isHolding) this.#socket.uncork();
    this.#isHolding = false;
  }

  end(): void {
    this.release();
    endWith(this.#socket, NORMAL);
  }

  cut(): void {
    this.#socket.destroy();
  }

  onClose(listener: () => void): void {
    this.#socket.once("close", listener);
  }
}
