import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  type QueryKey,
  queryOptions,
} from "@tanstack/react-query";
import { fanLevels } from "#components/chart/columns.ts";
import { nameRuns } from "#components/chart/name-runs.ts";
import type { OutlookUnit } from "#lib/contract/outlook";
import type { PredictRequest } from "#lib/contract/predictions";
import { splitRunName } from "#lib/contract/run-names";
import type { PreviewRequest, ScenarioPreview } from "#lib/contract/scenario-preview";
import type { PredictionChart, PredictionRow } from "#lib/contract/scenario-series";
import type { Adjustment } from "#lib/contract/scenarios";
import { ApiError, api, keys, type Page } from "./client.ts";
import { queryOf, runParam, whereParams } from "./query-of.ts";
import type { BodyOf, ItemOf, ResponseOf } from "./route-types.ts";

export const comparePath = (projectId: string, query: string) =>
  `/projects/${projectId}/scenarios/compare?${query}` as const;

/** Path of a resource after `/api/v1`, and the key under which its data are cached. */
type Address<P extends string> = { path: P; queryKey: QueryKey };

/** Returns the address of a resource in a project. The key has the project's subtrees: a part for each part of the path. */
const inProject = <P extends string>(projectId: string, path: P): Address<`/projects/${string}${P}`> => ({
  path: `/projects/${projectId}${path}`,
  queryKey: [...keys.project(projectId), ...path.split(/\/|(?=\?)/).slice(1)],
});

/** Path and extent of a read: a single resource, a list to its end, or a list page by page. */
type Source = { path: string; as: "one" | "whole" | "pages" };

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: Source;
  }
}

/** Here the address is a parameter, so the type checker learns only where it is used whether a route has it. */
const read = api.get as <P extends string>(path: P, options: object) => Promise<ResponseOf<"GET", P>>;
const send = api.post as <P extends string>(
  path: P,
  body: BodyOf<"POST", P>,
  options: object,
) => Promise<ResponseOf<"POST", P>>;
const readAll = api.all as <P extends string>(path: P, options: object) => Promise<ItemOf<P>[]>;
const readPage = api.list as <P extends string>(path: P, cursor: string, options: object) => Promise<Page<P>>;

/** Reads one resource. */
const one = <P extends string>({ path, queryKey }: Address<P>) =>
  queryOptions({
    queryKey,
    queryFn: ({ signal }) => read(path, { signal }),
    meta: { path, as: "one" },
  });

/** Reads one resource by a POST request that changes nothing. */
const oneByPost = <P extends string>({ path, queryKey }: Address<P>, body: BodyOf<"POST", P>) =>
  queryOptions({
    queryKey: [...queryKey, body],
    queryFn: ({ signal }) => send(path, body, { signal }),
  });

/** Reads all pages of a list. */
const all = <P extends string>({ path, queryKey }: Address<P>) => {
  const pages = `${path}${path.includes("?") ? "&" : "?"}limit=200`;
  return queryOptions({
    queryKey,
    queryFn: ({ signal }) => readAll(pages as P, { signal }),
    meta: { path: pages, as: "whole" },
  });
};

/** Reads a list page by page. The data are the items of all pages so far. */
const pages = <P extends string>({ path, queryKey }: Address<P>) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ signal, pageParam }) => readPage(path, pageParam, { signal }),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor,
    select: itemsOf<ItemOf<P>>,
    meta: { path, as: "pages" },
  });

const itemsOf = <T>({ pages }: { pages: { items: T[] }[] }) => pages.flatMap(({ items }) => items);

/** Reads a resource of a project. */
const ofProject = <P extends string>(projectId: string, path: P) => one(inProject(projectId, path));

/** Reads a resource once its ID is known. */
const onceKnown = <List extends string>(projectId: string, list: List, id: string | null) => ({
  ...ofProject(projectId, `/${list}/${id ?? ""}`),
  enabled: id !== null,
});

/** Reads a part of a scenario. */
const ofScenario = <Part extends string>(projectId: string, id: string, part: Part) =>
  ofProject(projectId, `/scenarios/${id}/${part}`);

/** Keeps the former data in place while those of another query, page or span load. */
const kept = <Options extends object>(options: Options) => ({
  ...options,
  placeholderData: keepPreviousData,
});

/** Returns null for a missing resource (no dataset, no model), which is an empty state rather than an error. */
async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

const projectOptions = (projectId: string) => ofProject(projectId, "");

/** Returns null for a project without a dataset, without a request that would log an error in the browser. */
async function findDataset(client: QueryClient, projectId: string, signal: AbortSignal) {
  const project = await client.fetchQuery(projectOptions(projectId)).catch(() => null);
  return project?.hasDataset === false ? null : orNull(api.get(`/projects/${projectId}/dataset`, { signal }));
}

const comparison = (projectId: string, query: string) => {
  const { path, queryKey } = inProject(projectId, `/scenarios/compare?${query}`);
  return queryOptions({
    queryKey,
    // Named here, so that all readers of the response share one object.
    queryFn: async ({ signal }) => nameRuns(await read(path, { signal })),
    meta: { path, as: "one" },
  });
};

/** With the query of a chart, the route returns no rows. */
const chartOf = (response: PredictionRow[] | PredictionChart) => response as PredictionChart;

type Recipe = {
  baseScenarioId: string | null;
  checkpointId: string | null;
  adjustments: Adjustment[];
};

/** Queries of the dashboard. `query` is the query of the URL, without the question mark. */
export const queries = {
  projects: () => all({ path: "/projects", queryKey: keys.projects() }),
  project: projectOptions,
  dataset: (projectId: string) =>
    queryOptions({
      queryKey: keys.dataset(projectId),
      queryFn: ({ client, signal }) => findDataset(client, projectId, signal),
    }),
  versions: (projectId: string) => all(inProject(projectId, "/dataset/versions")),
  /** Differences from another version; from the one before without `sinceId`. */
  versionChanges: (projectId: string, id: string, sinceId: string | null) =>
    sinceId === null
      ? ofProject(projectId, `/dataset/versions/${id}/changes`)
      : ofProject(projectId, `/dataset/versions/${id}/changes?sinceId=${sinceId}`),
  /** Series of the dataset, page by page. */
  series: (projectId: string, query: string) => kept(pages(inProject(projectId, `/series?${query}`))),
  datasetRows: (projectId: string, offset: number, limit: number) =>
    kept(ofProject(projectId, `/dataset/rows?offset=${offset}&limit=${limit}`)),
  /** Target of the project's dataset over time. */
  targetSeries: (projectId: string) => ofProject(projectId, "/dataset/target"),
  /** The same in a span, by its rows or buckets. */
  targetSpan: (projectId: string, query: string) => ofProject(projectId, `/dataset/target?${query}`),
  models: (projectId: string) => all(inProject(projectId, "/models")),
  model: (projectId: string, id: string | null) => onceKnown(projectId, "models", id),
  modelChanges: (projectId: string, id: string) => ofProject(projectId, `/models/${id}/changes`),
  checkpoints: (projectId: string) => all(inProject(projectId, "/checkpoints?include=usage")),
  checkpoint: (projectId: string, id: string | null) => onceKnown(projectId, "checkpoints", id),
  record: (projectId: string, id: string) => ofProject(projectId, `/checkpoints/${id}/record`),
  /** @param scenarioId only the runs of this scenario */
  trackRecord: (projectId: string, scenarioId?: string) =>
    scenarioId === undefined
      ? ofProject(projectId, "/track-record")
      : ofProject(projectId, `/track-record?scenarioId=${scenarioId}`),
  decisions: (projectId: string) => ofProject(projectId, "/decisions"),
  comparisons: (projectId: string) => all(inProject(projectId, "/comparisons")),
  scenarios: (projectId: string, query = "") => pages(inProject(projectId, `/scenarios?${query}`)),
  scenarioFilters: (projectId: string) => ofProject(projectId, "/scenarios/filters"),
  scenario: (projectId: string, id: string | null) => onceKnown(projectId, "scenarios", id),
  runs: (projectId: string, id: string) => pages(inProject(projectId, `/scenarios/${id}/runs`)),
  /** A scenario with an earlier run. */
  scenarioRun: (projectId: string, id: string, query: string) => ({
    ...ofProject(projectId, `/scenarios/${id}?${query}`),
    retry: false,
  }),
  predictionChart: (projectId: string, id: string, query: string) =>
    kept({ ...ofScenario(projectId, id, `predictions?${query}`), select: chartOf }),
  /** @param run earlier run to read */
  contributions: (projectId: string, id: string, row: number, run?: string) =>
    kept(ofScenario(projectId, id, `predictions/contributions?rows=${row}${runParam(run)}`)),
  /**
   * @param where of many series, those to include
   * @param run earlier run to read
   * @param by column by which to group them
   */
  actuals: (
    projectId: string,
    id: string,
    where: readonly string[] = [],
    run?: string,
    by: string | null = null,
  ) => {
    const groups = by === null ? "" : `&${queryOf({ by })}`;
    return ofScenario(
      projectId,
      id,
      `actuals?levels=${fanLevels}${whereParams(where)}${groups}${runParam(run)}`,
    );
  },
  /** Actuals of each row between two times, both inclusive. */
  actualRows: (
    projectId: string,
    id: string,
    { from, to, run }: { from: string; to: string; run?: string | undefined },
  ) => ofScenario(projectId, id, `actuals?maxPoints=20000&from=${from}&to=${to}${runParam(run)}`),
  /** One page of a scenario's rows. */
  scenarioRows: (
    projectId: string,
    id: string,
    {
      offset,
      limit,
      where = [],
      run,
    }: { offset: number; limit: number; where?: readonly string[]; run?: string | undefined },
  ) =>
    kept(
      ofScenario(projectId, id, `rows?offset=${offset}&limit=${limit}${whereParams(where)}${runParam(run)}`),
    ),
  /** First row of the newest scenario that the service generated for a checkpoint; null without such a scenario. */
  generatedRow: (projectId: string, checkpointId: string) =>
    queryOptions({
      queryKey: [...keys.scenarios(projectId), "generated-row", checkpointId],
      queryFn: async ({ signal }) => {
        const list = `/projects/${projectId}/scenarios` as const;
        const query = `limit=1&source=Generated&status=Completed&checkpointId=${checkpointId}`;
        const [scenario] = (await api.list(`${list}?${query}`, "", { signal })).items;
        return scenario ? api.get(`${list}/${scenario.id}/rows?limit=1`, { signal }) : null;
      },
    }),
  overrides: (projectId: string, id: string) => all(inProject(projectId, `/scenarios/${id}/overrides`)),
  /**
   * Actual values to date and forecast of the rest. Former data would stand under the names of other periods.
   *
   * @param where of many series, those to include
   */
  outlook: (projectId: string, id: string, period: OutlookUnit, where: readonly string[]) =>
    ofScenario(projectId, id, `outlook?period=${period}${whereParams(where)}`),
  /** Change of the forecast from run to run. */
  stability: (projectId: string, id: string) => ofScenario(projectId, id, "stability"),
  extrapolation: (projectId: string, id: string) => ofScenario(projectId, id, "extrapolation"),
  generatedInputs: (projectId: string, id: string) => ofScenario(projectId, id, "generated-inputs"),
  /** @param name scenario or run, as `ids` of a comparison names it */
  difference: (projectId: string, name: string, query: string) => {
    const { scenarioId, run } = splitRunName(name);
    return kept(ofScenario(projectId, scenarioId, `difference?${query}${runParam(run)}`));
  },
  sensitivity: (projectId: string, id: string, query: string) => ({
    ...ofScenario(projectId, id, `sensitivity?${query}`),
    // An error states what the scenario lacks. Another attempt takes seconds and gets the same.
    retry: false,
  }),
  /** Predictions with adjusted inputs. The previous ones of the scenario stay visible, and a newer request aborts this one. */
  preview: (projectId: string, id: string, body: PreviewRequest) => ({
    ...oneByPost(inProject(projectId, `/scenarios/${id}/preview`), body),
    placeholderData: (before: ScenarioPreview | undefined, query?: { queryKey: QueryKey }) =>
      query?.queryKey.includes(id) ? before : undefined,
    // A slider leaves one response for each position.
    gcTime: 30_000,
    retry: false,
  }),
  /** Reads what a worker of the page needs to predict edits. */
  liveModel: (projectId: string, id: string) => ({
    ...ofScenario(projectId, id, "live-model"),
    staleTime: Number.POSITIVE_INFINITY,
    // Takes up to 16 MiB.
    gcTime: 30_000,
    retry: false,
  }),
  compare: (projectId: string, query: string) => kept(comparison(projectId, query)),
  /** One page of a comparison. Rows of another page do not take its place. */
  comparePage: comparison,
  /** Extrapolation of several scenarios in one request, by scenario ID. */
  extrapolations: (projectId: string, ids: readonly string[]) =>
    ofProject(projectId, `/scenarios/extrapolation?ids=${ids.join(",")}`),
  /** Number of rows that each step of a recipe changes in a scenario's input. */
  recipe: (projectId: string, recipe: Recipe) =>
    oneByPost(inProject(projectId, "/scenarios/validate"), recipe),
  predict: (projectId: string, body: PredictRequest) =>
    kept(oneByPost(inProject(projectId, "/predict"), body)),
  jobs: (projectId: string) => pages({ path: `/jobs/project/${projectId}`, queryKey: keys.jobs(projectId) }),
  job: (projectId: string, id: string) =>
    one({ path: `/jobs/${id}`, queryKey: [...keys.jobs(projectId), id] }),
  comparisonLink: (projectId: string, id: string) => ofProject(projectId, `/comparisons/${id}/link`),
  jobMail: (projectId: string, id: string) =>
    one({ path: `/jobs/${id}/mail`, queryKey: [...keys.project(projectId), "job-mail", id] }),
  apiKeys: (projectId: string) => all(inProject(projectId, "/api-keys")),
  webhooks: (projectId: string) => all(inProject(projectId, "/webhooks")),
  deliveries: (projectId: string, id: string) => pages(inProject(projectId, `/webhooks/${id}/deliveries`)),
  projectMembers: (projectId: string) => all(inProject(projectId, "/members")),
  space: (projectId: string) => ofProject(projectId, "/space"),
  uploads: (projectId: string) => pages(inProject(projectId, "/uploads")),
  audit: (projectId: string, query: string) => pages(inProject(projectId, `/audit?${query}`)),
  allAudit: (query: string) => pages({ path: `/audit?${query}`, queryKey: ["audit", query] }),
  members: () => all({ path: "/members", queryKey: keys.members() }),
  sessions: () => all({ path: "/me/sessions", queryKey: keys.sessions() }),
};
