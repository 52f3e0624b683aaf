import type { Actor } from "#lib/context/context";
import type { ApiRequest } from "./api-request.ts";
import type { AnyDeclaration } from "./route-declaration.ts";

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
  resources: AsyncDisposableStack;
};
