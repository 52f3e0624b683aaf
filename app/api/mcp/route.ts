import { answerMcp } from "#lib/api/mcp/answer-mcp";
import { routes } from "../v1/routes.ts";

export const dynamic = "force-dynamic";

/** Model Context Protocol. Other methods get 405, because there are no sessions. */
export const POST = (request: Request): Promise<Response> => answerMcp(routes, request);
