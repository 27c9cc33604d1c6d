// Raw deflate by the browser. Inflated text comes from a link: it is read in pieces, and no further than the limit.

async function through(
  bytes: Uint8Array,
  by: GenericTransformStream,
  limit = Number.POSITIVE_INFINITY,
): Promise<Uint8Array> {
  const source = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
  const reader = source.pipeThrough(by as ReadableWritablePair<Uint8Array, Uint8Array>).getReader();
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limit) {
      await reader.cancel();
      throw new Error("too much");
    }
    pieces.push(value);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

export const deflate = (bytes: Uint8Array): Promise<Uint8Array> => through(bytes, new CompressionStream("deflate-raw"));

export const inflate = (bytes: Uint8Array, limit: number): Promise<Uint8Array> =>
  through(bytes, new DecompressionStream("deflate-raw"), limit);
