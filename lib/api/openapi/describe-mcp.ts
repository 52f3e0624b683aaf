import { z } from "zod";
import type { ZodOpenApiObject } from "zod-openapi";
import { describeFailure } from "./describe-errors.ts";
import { references } from "./describe-headers.ts";

type Paths = NonNullable<ZodOpenApiObject["paths"]>;

const Message = z.looseObject({ jsonrpc: z.literal("2.0").describe("Version of JSON-RPC.") });
const Sent = Message.extend({
  method: z.string().describe("Method of the protocol, such as `tools/list`."),
  id: z.number().int().optional().describe("Identifies the answer. Absent for a message without an answer."),
});
const rejected = {
  jsonrpc: "2.0",
  id: null,
  error: { code: -32_700, message: "Parse error: the request body is not valid JSON" },
};

const message = (name: string, value: object, schema: typeof Message = Message) => ({
  "application/json": { schema, examples: { [name]: { value } } },
});
const headers = references(["RateLimit-Policy", "RateLimit"]);
const rejection = (description: string) => ({ description, headers, content: message("rejected", rejected) });

/** The endpoint for agents. It has no declaration, because its messages are those of the Model Context Protocol. */
export const mcpOperations: Paths = {
  "/api/mcp": {
    post: {
      operationId: "callMcp",
      tags: ["Agents"],
      summary: "Send a message of the Model Context Protocol",
      description:
        "Streamable HTTP without sessions, with an API key as bearer. The tools call operations of this API with the key. Each message and each of these calls count towards the limit of the key.",
      security: [{ bearer: [] }],
      requestBody: {
        required: true,
        content: message("tools", { jsonrpc: "2.0", id: 1, method: "tools/list" }, Sent),
      },
      responses: {
        200: {
          description: "Answer of JSON-RPC, as JSON or as one event.",
          headers: { ...headers, ...references(["X-Accel-Buffering"]) },
          content: {
            ...message("answer", { jsonrpc: "2.0", id: 1, result: { tools: [] } }),
            "text/event-stream": {
              schema: { type: "string" },
              examples: {
                answer: { value: 'event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n' },
              },
            },
          },
        },
        202: { description: "Accepted: the message needs no answer.", headers },
        400: rejection("The body is no message of JSON-RPC, or the version of the protocol is unknown."),
        401: describeFailure(401, ["api_key_missing", "api_key_invalid"]),
        405: describeFailure(405, ["method_not_allowed"]),
        406: rejection("`Accept` must name `application/json` and `text/event-stream`."),
        413: rejection("The message has more than 1 MB."),
        415: rejection("The body is not JSON."),
        429: describeFailure(429, ["rate_limited"]),
        503: describeFailure(503, ["service_unavailable"]),
      },
    },
  },
};
