import type { Database } from "#db/client";
import type { Actor, AnswerClaim, Context, Precondition } from "#lib/context/context";
import type { ApiRequest } from "./api-request.ts";

/**
 * What an operation gets that a request asks for. A class, since a getter that stands in an object's literal makes every
 * such object, and what it holds, live on for so long that collecting it takes a fifth of the time of a small call
 * (docs/decisions/0094-predict-beside-next.md).
 */
export class CallContext implements Context {
  readonly db: Database;
  readonly actor: Actor;
  readonly requestId: string;
  claim: AnswerClaim | undefined;
  precondition: Precondition | undefined;
  readonly #request: ApiRequest;

  constructor(db: Database, actor: Actor, requestId: string, request: ApiRequest) {
    this.db = db;
    this.actor = actor;
    this.requestId = requestId;
    this.#request = request;
  }

  /** Made when it is asked for: few operations do. */
  get signal(): AbortSignal {
    return this.#request.signal;
  }
}
