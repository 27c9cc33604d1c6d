// A small document over HTTPS: from an issuer of tokens, which may be slow or hostile. No redirects are followed.

import { request } from "node:https";

export interface DocumentOptions {
  /** PEM; the machine's authorities otherwise. */
  readonly ca: string | undefined;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** The text at an address; rejects with an Error that says why there is none. */
export function httpsDocument(url: string, { ca, timeoutMs, maxBytes }: DocumentOptions): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs);
  return new Promise((resolve, reject) => {
    const failed = (text: string): void => reject(new Error(`Get "${url}": ${text}`));
    const sent = request(url, { signal, agent: false, ...(ca && { ca }), headers: { accept: "application/json" } });
    sent.on("error", (error) => failed(signal.aborted ? `no answer within ${timeoutMs} ms` : error.message));
    sent.on("response", (response) => {
      if (response.statusCode !== 200) {
        failed(`status ${response.statusCode}`);
        response.destroy();
        return;
      }
      const chunks: Buffer[] = [];
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size <= maxBytes) chunks.push(chunk);
        else {
          failed(`more than ${maxBytes} bytes`);
          response.destroy();
        }
      });
      response.on("error", (error) => failed(signal.aborted ? `no answer within ${timeoutMs} ms` : error.message));
      response.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
    });
    sent.end();
  });
}
