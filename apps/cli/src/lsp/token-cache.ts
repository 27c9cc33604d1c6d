// Colours as they were last sent, so that a keystroke sends what changed.

import type { SemanticTokens, SemanticTokensDelta } from "vscode-languageserver/node";

export class TokenCache {
  readonly #sent = new Map<string, { readonly id: string; readonly data: readonly number[] }>();
  #count = 0;

  whole(uri: string, data: number[]): SemanticTokens {
    const resultId = String(++this.#count);
    this.#sent.set(uri, { id: resultId, data });
    return { resultId, data };
  }

  delta(uri: string, data: number[], before: string): SemanticTokens | SemanticTokensDelta {
    const known = this.#sent.get(uri);
    const { resultId = "" } = this.whole(uri, data);
    if (known?.id !== before) return { resultId, data };
    let start = 0;
    while (start < data.length && start < known.data.length && data[start] === known.data[start]) start++;
    let end = 0;
    const most = Math.min(data.length, known.data.length) - start;
    while (end < most && data[data.length - 1 - end] === known.data[known.data.length - 1 - end]) end++;
    const deleteCount = known.data.length - start - end;
    const put = data.slice(start, data.length - end);
    return { resultId, edits: deleteCount === 0 && put.length === 0 ? [] : [{ start, deleteCount, data: put }] };
  }

  forget(uri: string): void {
    this.#sent.delete(uri);
  }
}
