/** Response with a complete text body. Creating a `Response` takes longer than computing many of the bodies. */
export class JsonAnswer {
  /** null: a response without a body. */
  body: string | null;
  status: number;
  /** Headers by name. Each name has one spelling only. */
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
