import type { Database, Transaction } from "#db/client";
import type { Role } from "#lib/contract/members";

/** Who is calling. A key acts for the user who created it, in its own project alone. */
export type Actor =
  | { kind: "session"; userId: string; role: Role }
  | { kind: "api-key"; userId: string; apiKeyId: string; projectId: string };

/** A request's hold on its `Idempotency-Key`. */
export type AnswerClaim = {
  keep(tx: Transaction, data: unknown, bodySha256: string | undefined): Promise<void>;
};

/** What a changing request asks of the resource that it changes. */
export type Precondition = {
  /** @param read the resource as it goes over the wire, null where there is none */
  check(read: () => Promise<unknown>): Promise<void>;
};

/** What every operation gets first. */
export type Context = {
  db: Database;
  actor: Actor;
  /** In the answer's `X-Request-Id`, in log lines and in the audit log. */
  requestId: string;
  /** Of a request: aborted where its caller has gone before the answer. */
  signal?: AbortSignal | undefined;
  /** Of a creating request with an `Idempotency-Key`: see `keepAnswer`. */
  claim?: AnswerClaim | undefined;
  /** Of a change with `If-Match`: see `requireMatch`. */
  precondition?: Precondition | undefined;
};
