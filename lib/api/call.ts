import type { Actor } from "#lib/context/context";
import type { ApiRequest } from "./api-request.ts";
import type { AnyDeclaration } from "./route-declaration.ts";

/** Let go when the call is answered. Most hold nothing, and a stack that is disposed of costs as much as their JSON. */
export class CallResources {
  #held: AsyncDisposableStack | undefined;

  use<T extends AsyncDisposable | Disposable>(resource: T): T {
    this.#held ??= new AsyncDisposableStack();
    return this.#held.use(resource);
  }

  async letGo(): Promise<void> {
    await this.#held?.disposeAsync();
  }
}

/** One call of a route while it is answered. */
export type Call = {
  declaration: AnyDeclaration;
  request: ApiRequest;
  requestId: string;
  /** null until the caller is known, and on public routes. */
  actor: Actor | null;
  /** Headers that the answer gets in any case. */
  headers: Map<string, string>;
  /** What the call holds until it is answered. */
  resources: CallResources;
};
