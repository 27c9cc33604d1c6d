// client-node stands on a version of undici that looks, when it is loaded, for functions which Node 20 does not have. No test uses them, so
// stand-ins are enough. To be imported before the library.

import workers from "node:worker_threads";
import zlib from "node:zlib";

const compression = zlib as { createZstdDecompress?: () => never };
compression.createZstdDecompress ??= () => {
  throw new Error("this version of Node has no zstd");
};

const threads = workers as { markAsUncloneable?: (object: object) => void };
threads.markAsUncloneable ??= () => {};

const promises = Promise as unknown as { withResolvers?: () => unknown };
promises.withResolvers ??= () => {
  let settle: object = {};
  const promise = new Promise((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...settle };
};
