/** An answer whose body is a whole text, for whoever sends it: a `Response` costs more than many an answer itself. */
export class JsonAnswer {
  /** null: nothing but the head. */
  body: string | null;
  status: number;
  /** By name as it is written; each name in one way only. */
  readonly headers: Map<string, string>;

  constructor(body: string | null, status: number, headers: Record<string, string> = {}) {
    this.body = body;
    this.status = status;
    this.headers = new Map(Object.entries(headers));
  }

  static of(value: unknown, status: number, headers: Record<string, string> = {}): JsonAnswer {
    return JsonAnswer.ofText(JSON.stringify(value), status, headers);
  }

  static ofText(text: string, status: number, headers: Record<string, string> = {}): JsonAnswer {
    const answer = new JsonAnswer(text, status, headers);
    if (!answer.headers.has("Content-Type")) answer.headers.set("Content-Type", "application/json");
    return answer;
  }

  toResponse(): Response {
    return new Response(this.body, { status: this.status, headers: [...this.headers] });
  }
}
