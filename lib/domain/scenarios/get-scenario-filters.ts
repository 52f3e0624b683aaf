import { and, count, desc, eq, isNull, sql } from "drizzle-orm";
import { scenarios } from "#db/schema/scenarios";
import { user } from "#db/schema/users";
import type { ScenarioFilters } from "#lib/contract/scenario-list";
import type { Context } from "#lib/platform/context/context";

const VALUES_MAX = 200;

/** Returns the tags and creators of a project's scenarios, most frequent first, and the number of archived ones. */
export async function getScenarioFilters(
  { db }: Pick<Context, "db">,
  { projectId }: { projectId: string },
): Promise<ScenarioFilters> {
  const existing = and(eq(scenarios.projectId, projectId), isNull(scenarios.deletedAt));
  const single = db
    .select({ tag: sql<string>`unnest(${scenarios.tags})`.as("tag") })
    .from(scenarios)
    .where(existing)
    .as("single");
  const [tags, authors, archived] = await Promise.all([
    db
      .select({ tag: single.tag, count: count() })
      .from(single)
      .groupBy(single.tag)
      .orderBy(desc(count()), single.tag)
      .limit(VALUES_MAX),
    db
      .select({ id: scenarios.createdBy, name: user.name, count: count() })
      .from(scenarios)
      .leftJoin(user, eq(user.id, scenarios.createdBy))
      .where(existing)
      .groupBy(scenarios.createdBy, user.name)
      .orderBy(desc(count()), scenarios.createdBy)
      .limit(VALUES_MAX),
    db.$count(scenarios, and(existing, scenarios.archived)),
  ]);
  return { tags, authors, archived };
}
