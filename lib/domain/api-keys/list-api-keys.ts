import { and, eq, sql } from "drizzle-orm";
import { type Page, type PageRequest, Paging } from "#db/page";
import { apiKeys, apiKeyUses } from "#db/schema/access";
import { user } from "#db/schema/users";
import type { ListedApiKey } from "#lib/contract/api-keys";
import { systemUser } from "#lib/domain/users/members";
import type { Context } from "#lib/platform/context/context";
import { presentApiKey } from "./present.ts";

/** One entry per day, including days without requests. */
const requests = sql<ListedApiKey["requests"]>`(
  select json_agg(json_build_object('day', days.day::date, 'count', coalesce(uses.requests, 0)) order by days.day)
  from generate_series(
    date_trunc('day', now() at time zone 'UTC') - interval '13 days',
    now() at time zone 'UTC',
    interval '1 day'
  ) as days (day)
  left join ${apiKeyUses} uses on uses.api_key_id = ${apiKeys.id} and uses.day = days.day::date)`;

const createdByRemoved = sql<boolean>`(api_keys.created_by <> ${systemUser}
  and not exists (select from ${user} where "user".id = api_keys.created_by))`;

/**
 * Returns a project's keys with their requests of the last 14 days, newest first, including revoked and expired keys.
 */
export async function listApiKeys(
  { db }: Pick<Context, "db">,
  { projectId, ...request }: PageRequest & { projectId: string },
): Promise<Page<ListedApiKey>> {
  const paging = new Paging([apiKeys.createdAt, apiKeys.id], request);
  const rows = await db
    .select({ key: apiKeys, createdByRemoved, requests, position: paging.position })
    .from(apiKeys)
    .where(and(eq(apiKeys.projectId, projectId), paging.where))
    .orderBy(...paging.orderBy)
    .limit(paging.limit);
  return paging.page(rows, (row) => ({
    ...presentApiKey(row.key),
    createdByRemoved: row.createdByRemoved,
    requests: row.requests,
  }));
}
