// The audit log: one JSON object per line, written behind the requests.

import { createWriteStream, type WriteStream } from "node:fs";
import { type AuditedRequest, type AuditLevel, auditEvent } from "./audit-event.ts";

export class AuditLog {
  readonly #stream: WriteStream;
  readonly #level: AuditLevel;

  constructor(path: string, level: AuditLevel = "Metadata") {
    this.#stream = createWriteStream(path, { flags: "a", mode: 0o600 });
    this.#level = level;
  }

  write(request: AuditedRequest): void {
    if (this.#level !== "None") this.#stream.write(`${JSON.stringify(auditEvent(request, this.#level))}\n`);
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#stream.end(() => resolve()));
  }
}
