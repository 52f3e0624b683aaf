import type { Actor } from "#lib/platform/context/context";
import type { ApiRequest } from "./api-request.ts";
import type { AnyDeclaration } from "./route-declaration.ts";

/**
 * Resources that are released when the response is ready, before it is sent. The stack is created on first use: most
 * requests hold no resources, and disposing of a stack costs as much as their JSON.
 */
export class CallResources {
  #held: AsyncDisposableStack | undefined;

  use<T extends AsyncDisposable | Disposable>(resource: T): T {
    this.#held ??= new AsyncDisposableStack();
    return this.#held.use(resource);
  }

  async release(): Promise<void> {
    await this.#held?.disposeAsync();
  }
}

/** One request to a route while it is processed. */
export type Call = {
  declaration: AnyDeclaration;
  request: ApiRequest;
  requestId: string;
  /** null until the caller is authenticated, and on public routes. */
  actor: Actor | null;
  /** Headers of the response, whether it succeeds or fails. */
  headers: Map<string, string>;
  /** Resources that the request holds until the response is ready. */
  resources: CallResources;
};
