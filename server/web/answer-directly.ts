import type { IncomingMessage, ServerResponse } from "node:http";
import { answer } from "#lib/api/answer";
import { JsonAnswer } from "#lib/api/response/json-answer";
import { POST as predict } from "../../app/api/v1/projects/[projectId]/predict/route.ts";
import { NodeRequest } from "./node-request.ts";
import { sendText } from "./send-text.ts";

/** Matches a plain project id. Next.js handles other spellings, for example with percent escapes. */
const predictPath = /^\/api\/v1\/projects\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/predict(?:\?|$)/i;

/**
 * Answers `POST …/predict`, the most frequent call, without Next.js. Next.js takes several times as long as the rest of
 * a small prediction (docs/decisions/0174-predictions-in-front-of-next.md). Both use the same declaration and answer alike.
 *
 * @param headers additional headers of the answer: alternating names and values
 * @returns whether the request was such a call
 */
export async function answerDirectly(
  request: IncomingMessage,
  response: ServerResponse,
  headers: readonly string[],
): Promise<boolean> {
  if (request.method !== "POST") return false;
  const projectId = predictPath.exec(request.url ?? "")?.[1];
  if (projectId === undefined) return false;
  const answered = await answer(predict.declaration, new NodeRequest(request, response), { projectId });
  if (!(answered instanceof JsonAnswer)) throw new TypeError("The answer of a prediction must be JSON.");
  await sendText(request, response, answered, headers);
  return true;
}
