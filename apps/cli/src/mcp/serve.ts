// The Model Context Protocol on one side, tools and documents on the other. The protocol is the reference SDK's; it is a file of its own in
// the bundle, so that other commands do not load it.

import process from "node:process";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { Document } from "./documents.ts";
import type { Invoked } from "./invoke.ts";
import { type Invocation, inputOf, type Tool } from "./tools.ts";

export interface Service {
  readonly version: string;
  readonly instructions: string;
  readonly tools: readonly Tool[];
  readonly documents: readonly Document[];
  readonly answer: (invocation: Invocation, signal: AbortSignal) => Promise<Invoked>;
}

/** Serves over standard input and output; resolves when the client has left. */
export async function serveStdio(service: Service): Promise<void> {
  const server = serverOf(service);
  const left = new Promise<void>((resolve) => {
    server.onclose = resolve;
  });
  // The transport does not watch for the end of its input.
  process.stdin.once("end", () => void server.close());
  await server.connect(new StdioServerTransport());
  await left;
}

function serverOf({ version, instructions, tools, documents, answer }: Service): Server {
  const server = new Server(
    { name: "celadon", title: "Celadon", version },
    { capabilities: { tools: {}, resources: {} }, instructions },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, title, description, properties, required }) => ({
      name,
      title,
      description,
      inputSchema: { type: "object" as const, properties, required: [...required], additionalProperties: false },
      annotations: { readOnlyHint: true, openWorldHint: false },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `no tool "${params.name}"`);
    const input = inputOf(tool, params.arguments ?? {});
    const { text, isError } =
      typeof input === "string" ? { text: input, isError: true } : await answer(tool.invocation(input), signal);
    return { content: [{ type: "text" as const, text }], isError };
  });
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: documents.map(({ uri, title }) => ({ uri, name: uri, title, mimeType: "text/markdown" })),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => {
    const document = documents.find(({ uri }) => uri === params.uri);
    if (document === undefined) throw new McpError(ErrorCode.InvalidParams, `no resource "${params.uri}"`);
    return { contents: [{ uri: document.uri, mimeType: "text/markdown", text: document.read() }] };
  });
  return server;
}
