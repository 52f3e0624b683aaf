import type { Sql } from "postgres";

export type PoolLoad = {
  /** Connections that the pool opens at most. */
  max: number;
  /** Queries and transactions that have a connection, and those that wait for one. */
  inUse: number;
  waiting: number;
};

/**
 * A pool that counts what is asked of it by Drizzle: its queries and transactions. The driver tells nothing of itself.
 *
 * @returns the pool to hand to Drizzle, and how busy it is just now
 */
export function countLoad(sql: Sql): { counted: Sql; load: () => PoolLoad } {
  let asked = 0;
  const begun = () => {
    asked++;
  };
  const ended = () => {
    asked--;
  };
  const wrapped: Partial<Record<PropertyKey, unknown>> = {
    unsafe: (...query: Parameters<Sql["unsafe"]>) => whenSent(sql.unsafe(...query), begun, ended),
    begin: (run: Parameters<Sql["begin"]>[1]) => {
      begun();
      return sql.begin(run).finally(ended);
    },
  };
  const counted = new Proxy(sql, { get: (target, name) => wrapped[name] ?? Reflect.get(target, name) });
  const load = () => {
    const { max } = sql.options;
    const inUse = Math.min(asked, max);
    return { max, inUse, waiting: asked - inUse };
  };
  return { counted, load };
}

/** A query of this driver is sent when it is first waited for, and never if it is not. */
function whenSent<Q extends PromiseLike<unknown>>(query: Q, begun: () => void, ended: () => void): Q {
  const wait = query.then.bind(query) as (...handlers: unknown[]) => PromiseLike<unknown>;
  let isSent = false;
  // biome-ignore lint/suspicious/noThenProperty: it is a promise already, and this is where the driver sends it.
  query.then = ((...handlers: unknown[]) => {
    if (!isSent) {
      isSent = true;
      begun();
      wait(ended, ended);
    }
    return wait(...handlers);
  }) as Q["then"];
  return query;
}
