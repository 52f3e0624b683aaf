import { createLoader, type inferParserType, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { queryOf } from "#components/api/query-of.ts";
import type { Scenario } from "#lib/contract/scenarios";

/** Orders of the list: the value of the URL, its name, and the parameters of the API. */
export const orders = [
  ["newest", "Newest first", "createdAt", "desc"],
  ["oldest", "Oldest first", "createdAt", "asc"],
  ["title", "Title, A to Z", "title", "asc"],
  ["title-desc", "Title, Z to A", "title", "desc"],
  ["mean", "Highest mean", "mean", "desc"],
  ["mean-asc", "Lowest mean", "mean", "asc"],
  ["rows", "Most rows", "rowCount", "desc"],
] as const;

const names = orders.map(([name]) => name);

/** State of the list of scenarios in the page's URL. An empty filter is not set. */
export const listParsers = {
  search: parseAsString.withDefault(""),
  status: parseAsString.withDefault(""),
  source: parseAsString.withDefault(""),
  checkpointId: parseAsString.withDefault(""),
  tag: parseAsString.withDefault(""),
  createdBy: parseAsString.withDefault(""),
  archived: parseAsStringLiteral(["", "true"]).withDefault(""),
  order: parseAsStringLiteral(names).withDefault("newest"),
  view: parseAsStringLiteral(["list", "tree"]).withDefault("list"),
};

export type ListState = inferParserType<typeof listParsers>;

const filters = ["search", "status", "source", "checkpointId", "tag", "createdBy", "archived"] as const;

export const isFiltered = (state: ListState) => filters.some((name) => state[name] !== "");

/** Cleared filters. */
export const noFilters = Object.fromEntries(filters.map((name) => [name, null]));

/** Returns the query of the list's first page. The default list has no archived scenarios. */
export function listQuery(state: ListState): string {
  const [, , sort, order] = orders.find(([name]) => name === state.order)!;
  return queryOf({
    ...Object.fromEntries(filters.map((name) => [name, state[name]])),
    archived: state.archived || "false",
    ...(state.order !== "newest" && { sort, order }),
  });
}

type Covered = Pick<Scenario, "status" | "firstTimestamp" | "lastTimestamp" | "rowCount">;

/** Returns whether completed scenarios cover different times or rows, so that their means and totals do not compare. */
export function differInCover(scenarios: readonly Covered[]): boolean {
  const covers = scenarios
    .filter(({ status }) => status === "Completed")
    .map(({ firstTimestamp, lastTimestamp, rowCount }) => [firstTimestamp, lastTimestamp, rowCount].join());
  return new Set(covers).size > 1;
}

export const loadListState = createLoader(listParsers);
