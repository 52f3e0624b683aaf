import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { authenticate } from "#lib/api/caller/authenticate";
import { limitCalls } from "#lib/api/caller/limit-calls";
import { publicOrigin } from "#lib/api/caller/origin";
import { writeExhaustedLimits, writeUnusedLimits } from "#lib/api/caller/rate-limit-headers";
import { errorAnswer, toDomainError } from "#lib/api/response/error-answer";
import { effectOf, type Method, type RouteTable } from "#lib/api/route-declaration";
import { limits } from "#lib/contract/limits";
import { database } from "#lib/platform/database/process-database";
import { standardError } from "#lib/platform/errors/standard-error";
import { newId } from "#lib/platform/ids/new-id";
import { logger } from "#lib/platform/log/logger";
import { FailedCall, fieldsOf, handlerOf, operationCaller } from "./operations.ts";
import { shorten } from "./shorten.ts";
import type { Tool, ToolCall } from "./tool.ts";
import { argumentSchema } from "./tool-schema.ts";
import { tools } from "./tools.ts";

const instructions =
  "Predictions of one project: a model, its checkpoints, and scenarios that each predict one input. Begin with describe_project. Times are in UTC. A model predicts; it does not know causes beyond its inputs.";

type Registered = {
  tool: Tool;
  config: {
    title: string;
    description: string;
    inputSchema: ReturnType<typeof argumentSchema>;
    annotations: { readOnlyHint: boolean; destructiveHint: boolean; openWorldHint: boolean };
  };
};
let registered: Promise<Registered[]> | undefined;

/** Describes the tools by the declarations of their operations. Made once, because the routes of a process do not change. */
function describeTools(routes: RouteTable): Promise<Registered[]> {
  return Promise.all(
    tools.map(async (tool) => {
      const { declaration } = await handlerOf(routes, tool.operation);
      const { params, query, body, summary, description = `${summary}.` } = declaration;
      const declared = { ...fieldsOf(params), ...fieldsOf(query), ...fieldsOf(body) };
      const fields = Object.fromEntries(tool.fields.map((name) => [name, declared[name]!]));
      const changes = effectOf(declaration, tool.operation.split(" ")[0] as Method) === "write";
      return {
        tool,
        config: {
          title: tool.title,
          description: [description, tool.description].filter(Boolean).join(" "),
          inputSchema: argumentSchema({ ...fields, ...tool.further }),
          annotations: { readOnlyHint: !changes, destructiveHint: false, openWorldHint: false },
        },
      };
    }),
  );
}

/** Answers a message of the Model Context Protocol: streamable HTTP without sessions, with an API key as bearer. */
export async function answerMcp(routes: RouteTable, request: Request): Promise<Response> {
  const limit = new Headers();
  let caller: { key: string; projectId: string };
  try {
    caller = await authenticateBearer(request, limit);
  } catch (error) {
    return failedAnswer(error, limit);
  }
  registered ??= describeTools(routes);
  const described = await registered;
  const { fetch } = createMcpHandler(() => serverFor(described, routes, request, caller), {
    maxRequestBodySize: limits.jsonBytes,
    maxSubscriptions: 0,
    onerror: (err) => logger().debug({ err }, "an MCP message was rejected"),
  });
  const response = await fetch(request);
  for (const [name, value] of limit) response.headers.set(name, value);
  response.headers.set("Cache-Control", "no-store");
  // The server decides about the connection.
  response.headers.delete("Connection");
  return response;
}

/** @throws {DomainError} api_key_missing, api_key_invalid, forbidden, rate_limited */
async function authenticateBearer(
  request: Request,
  limit: Headers,
): Promise<{ key: string; projectId: string }> {
  const key = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (key === undefined) throw standardError("api_key_missing");
  const headers = new Headers(request.headers);
  headers.set("x-api-key", key);
  const db = database();
  const { actor } = await authenticate({ ...bodyless(request), headers }, db);
  if (actor.kind !== "api-key") throw standardError("api_key_missing");
  await limitCalls(db, actor.apiKeyId, limit);
  return { key, projectId: actor.projectId };
}

const bodyless = ({ method, url, signal }: Request) => ({
  method,
  url,
  signal,
  body: null,
  bytes: async () => new Uint8Array(),
});

function failedAnswer(error: unknown, limit: Headers): Response {
  const reported = toDomainError(error);
  const requestId = newId();
  if (reported !== error) logger().error({ err: error, requestId }, "an MCP message failed");
  if (reported.code === "rate_limited") writeExhaustedLimits(limit, reported);
  if (!limit.has("RateLimit")) writeUnusedLimits(limit);
  const response = errorAnswer(reported, requestId).toResponse();
  for (const [name, value] of limit) response.headers.set(name, value);
  response.headers.set("X-Request-Id", requestId);
  response.headers.set("Cache-Control", "no-store");
  if (response.status === 401) {
    const reason = reported.code === "api_key_missing" ? "" : ', error="invalid_token"';
    response.headers.set("WWW-Authenticate", `Bearer realm="API key"${reason}`);
  }
  return response;
}

function serverFor(
  described: readonly Registered[],
  routes: RouteTable,
  request: Request,
  caller: { key: string; projectId: string },
): McpServer {
  const server = new McpServer({ name: "forkcast", version: "1" }, { instructions });
  const pages = `${publicOrigin(request)}/projects/${caller.projectId}`;
  const toolCall: ToolCall = {
    call: operationCaller(routes, { ...caller, request }),
    page: (path) => (path === "" ? pages : `${pages}/${path}`),
    signal: request.signal,
  };
  for (const { tool, config } of described) {
    server.registerTool(tool.name, config, async (values) => {
      try {
        const answer = shorten(await tool.run(values, toolCall));
        return {
          content: [{ type: "text" as const, text: JSON.stringify(answer) }],
          structuredContent: answer,
        };
      } catch (error) {
        if (!(error instanceof FailedCall)) throw error;
        return { content: [{ type: "text" as const, text: error.message }], isError: true };
      }
    });
  }
  return server;
}
