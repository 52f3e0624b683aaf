import type { Database } from "#db/client";
import type { Actor, Context, IdempotencyHold, Precondition } from "#lib/platform/context/context";
import type { ApiRequest } from "./api-request.ts";

/**
 * Context that a request passes to an operation. A class, because a getter in an object literal keeps each such object
 * and its contents alive longer. Collecting them takes a fifth of the time of a small request
 * (docs/decisions/0174-predictions-in-front-of-next.md).
 */
export class CallContext implements Context {
  readonly db: Database;
  readonly actor: Actor;
  readonly requestId: string;
  hold: IdempotencyHold | undefined;
  precondition: Precondition | undefined;
  readonly #request: ApiRequest;

  constructor(db: Database, actor: Actor, requestId: string, request: ApiRequest) {
    this.db = db;
    this.actor = actor;
    this.requestId = requestId;
    this.#request = request;
  }

  /** Read from the request only on access, because creating the signal is costly and few operations read it. */
  get signal(): AbortSignal {
    return this.#request.signal;
  }
}
