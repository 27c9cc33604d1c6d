// The audit log: one JSON object per line, written after the requests, in as much detail as the policy specifies.

import { createWriteStream, type WriteStream } from "node:fs";
import { toJson } from "@celadon/base";
import { type AuditedRequest, auditEvent } from "./audit-event.ts";
import { type AuditPolicy, type AuditStage, DEFAULT_POLICY, decideAudit } from "./audit-policy.ts";

export class AuditLog {
  readonly #stream: WriteStream;
  readonly #policy: AuditPolicy;

  constructor(path: string, policy: AuditPolicy = DEFAULT_POLICY) {
    this.#stream = createWriteStream(path, { flags: "a", mode: 0o600 });
    this.#policy = policy;
  }

  write(request: AuditedRequest): void {
    const decision = decideAudit(this.#policy, request);
    if (decision.level === "None") return;
    const stages: readonly AuditStage[] = [
      "RequestReceived",
      request.isStream ? "ResponseStarted" : "ResponseComplete",
    ];
    for (const stage of stages) {
      if (decision.omitStages.has(stage)) continue;
      this.#stream.write(`${toJson(auditEvent(request, stage, decision))}\n`);
    }
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#stream.end(() => resolve()));
  }
}
