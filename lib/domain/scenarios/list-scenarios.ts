import { and, arrayContains, eq, inArray, type SQL, sql } from "drizzle-orm";
import { type ListOrder, type Page, type PageRequest, Paging } from "#db/page";
import { jobs } from "#db/schema/jobs";
import { scenarioRuns, scenarios } from "#db/schema/scenarios";
import type { ScenarioListQuery } from "#lib/contract/scenario-list";
import type { Scenario } from "#lib/contract/scenarios";
import type { Context } from "#lib/platform/context/context";
import { presentScenario } from "./present.ts";
import { selectScenarios } from "./select-scenarios.ts";

type Request = PageRequest & Omit<ScenarioListQuery, "limit" | "cursor"> & { projectId: string };

/** Lists the project's scenarios that pass the filters, by default newest first. */
export async function listScenarios(
  ctx: Context,
  { projectId, ...request }: Request,
): Promise<Page<Scenario>> {
  const [value, order] = orderOf(request);
  const paging = new Paging([value, scenarios.id], request, order);
  const rows = await selectScenarios(ctx.db, { projectId, filter: filterOf(request), paging });
  return paging.page(rows, presentScenario);
}

type Filters = Omit<ScenarioListQuery, "limit" | "cursor" | "sort" | "order">;

function filterOf({
  search,
  status,
  source,
  checkpointId,
  tag,
  createdBy,
  archived,
}: Filters): SQL | undefined {
  const words = search?.split(/\s+/u).filter((word) => word !== "") ?? [];
  return and(
    ...words.map((word) => sql`strpos(${searchedText}, lower(${word})) > 0`),
    status && inArray(jobs.status, status),
    source && inArray(scenarios.source, source),
    checkpointId && inArray(scenarioRuns.checkpointId, checkpointId),
    tag && arrayContains(scenarios.tags, tag),
    createdBy && inArray(scenarios.createdBy, createdBy),
    archived && eq(scenarios.archived, archived === "true"),
  );
}

// File names of macOS have decomposed accents.
const searchedText = sql`lower(normalize(concat_ws(E'\n', ${scenarios.title}, ${scenarios.description},
  ${scenarios.notes}, ${scenarios.fileName}, array_to_string(${scenarios.tags}, E'\n')), NFC))`;

const shownSummary = sql`coalesce(${scenarios.effectiveSummary}, ${scenarioRuns.summary})`;

/** Returns the value that the list is sorted by. Scenarios without the number come last. */
function orderOf({ sort = "createdAt", order }: Pick<ScenarioListQuery, "sort" | "order">) {
  const direction = order ?? (sort === "title" ? "asc" : "desc");
  const last = sql.raw(direction === "asc" ? "'infinity'" : "'-infinity'");
  const values = {
    createdAt: [scenarios.createdAt, "timestamptz"],
    title: [sql`lower(${scenarios.title})`, "text"],
    rowCount: [sql`coalesce(${scenarioRuns.rowCount}::float8, ${last})`, "float8"],
    mean: [sql`coalesce((${shownSummary} ->> 'mean')::float8, ${last})`, "float8"],
  } as const;
  const [value, type] = values[sort];
  return [value, { direction, type } satisfies ListOrder] as const;
}
