// The playground's static files over HTTP: read once, compressed if the client accepts it, every answer under the content security
// policy. Scripts need it too: a worker obeys the header of its own script alone.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { brotliCompressSync, gzipSync, constants as zlib } from "node:zlib";

/** The content security policy of the playground. */
export const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; worker-src 'self'; img-src 'self' data:; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".txt": "text/plain; charset=utf-8",
};

interface StaticFile {
  readonly type: string;
  readonly plain: Buffer;
  /** By coding, made on first use. */
  readonly coded: Map<string, Buffer>;
  /** Named by its contents: it never changes. */
  readonly isNamed: boolean;
}

/** All files of a directory by their path; undefined where the playground has not been built. */
export function readSite(directory: string): ReadonlyMap<string, StaticFile> | undefined {
  if (!existsSync(join(directory, "index.html"))) return undefined;
  const files = new Map<string, StaticFile>();
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.endsWith(".br")) continue;
    const file = join(entry.parentPath, entry.name);
    const path = file.slice(directory.length).replaceAll("\\", "/").replace(/^\/?/, "/");
    const coded = new Map<string, Buffer>();
    if (existsSync(`${file}.br`)) coded.set("br", readFileSync(`${file}.br`));
    const type = TYPES[extname(entry.name)] ?? "application/octet-stream";
    files.set(path, { type, plain: readFileSync(file), coded, isNamed: path.startsWith("/assets/") });
  }
  return files;
}

/** A server of the files; it listens nowhere yet. */
export function siteServer(files: ReadonlyMap<string, StaticFile>): Server {
  return createServer((request, response) => answer(files, request, response));
}

function answer(files: ReadonlyMap<string, StaticFile>, request: IncomingMessage, response: ServerResponse): void {
  response.setHeader("content-security-policy", CONTENT_SECURITY_POLICY);
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("referrer-policy", "no-referrer");
  // Isolated from other sites, the page may share memory with its worker.
  response.setHeader("cross-origin-opener-policy", "same-origin");
  response.setHeader("cross-origin-embedder-policy", "require-corp");
  response.setHeader("cross-origin-resource-policy", "same-origin");
  const { method = "GET", url = "/" } = request;
  if (method !== "GET" && method !== "HEAD") {
    refuse(response, 405, "only GET and HEAD are served");
    return;
  }
  const path = url.split(/[?#]/, 1)[0]!;
  const file = files.get(path === "/" ? "/index.html" : path);
  if (file === undefined) {
    refuse(response, 404, "not found");
    return;
  }
  const accepted = String(request.headers["accept-encoding"] ?? "");
  const coding = file.plain.length < 500 ? undefined : ["br", "gzip"].find((text) => accepted.includes(text));
  const body = coding === undefined ? file.plain : codedBody(file, coding);
  response.writeHead(200, {
    "content-type": file.type,
    "content-length": body.length,
    vary: "accept-encoding",
    "cache-control": file.isNamed ? "public, max-age=31536000, immutable" : "no-cache",
    ...(coding !== undefined && { "content-encoding": coding }),
  });
  response.end(method === "HEAD" ? undefined : body);
}

function refuse(response: ServerResponse, code: number, text: string): void {
  response.writeHead(code, { "content-type": "text/plain; charset=utf-8" });
  response.end(`${text}\n`);
}

function codedBody({ plain, coded }: StaticFile, coding: string): Buffer {
  let body = coded.get(coding);
  if (body === undefined) {
    const quality = { params: { [zlib.BROTLI_PARAM_QUALITY]: 5 } };
    body = coding === "br" ? brotliCompressSync(plain, quality) : gzipSync(plain);
    coded.set(coding, body);
  }
  return body;
}
