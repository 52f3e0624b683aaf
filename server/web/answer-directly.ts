import type { IncomingMessage, ServerResponse } from "node:http";
import { answer } from "#lib/api/answer";
import { JsonAnswer } from "#lib/api/response/json-answer";
import { POST as predict } from "../../app/api/v1/projects/[projectId]/predict/route.ts";
import { NodeRequest } from "./node-request.ts";
import { sendText } from "./send-text.ts";

/** An id as it is written; one in any other way, such as with escapes, is for Next.js to read. */
const predictAddress = /^\/api\/v1\/projects\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/predict(?:\?|$)/i;

/**
 * Answers the call that is made most often without Next.js, whose part of a small prediction is several times the rest
 * (docs/decisions/0094-predict-beside-next.md). The same declaration, and so the same answer.
 *
 * @param headers of the answer besides its own: names and values in turn
 * @returns whether it is such a call
 */
export async function answerDirectly(
  request: IncomingMessage,
  response: ServerResponse,
  headers: readonly string[],
): Promise<boolean> {
  if (request.method !== "POST") return false;
  const projectId = predictAddress.exec(request.url ?? "")?.[1];
  if (projectId === undefined) return false;
  const answered = await answer(predict.declaration, new NodeRequest(request, response), { projectId });
  if (!(answered instanceof JsonAnswer)) throw new TypeError("Predictions are answered in JSON.");
  await sendText(request, response, answered, headers);
  return true;
}
