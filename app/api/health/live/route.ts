import { answerLiveness } from "#lib/health/answer-probe";

export const dynamic = "force-dynamic";

export function GET(): Response {
  return answerLiveness();
}
