import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  type QueryKey,
  queryOptions,
} from "@tanstack/react-query";
import { fanLevels } from "#components/chart/columns.ts";
import type { CheckpointRecord, ModelChanges, ScenarioActuals } from "#lib/contract/actuals";
import type { ListedApiKey } from "#lib/contract/api-keys";
import type { AuditEntry } from "#lib/contract/audit";
import type { Checkpoint, CheckpointDetail } from "#lib/contract/checkpoints";
import type { Dataset } from "#lib/contract/datasets";
import type { Extrapolation, Extrapolations } from "#lib/contract/extrapolation";
import type { GeneratedInputs } from "#lib/contract/generated-inputs";
import type { Job } from "#lib/contract/jobs";
import type { LiveModelResponse } from "#lib/contract/live-model";
import type { ListedMember } from "#lib/contract/members";
import type { Model } from "#lib/contract/models";
import type { Prediction, PredictRequest } from "#lib/contract/predictions";
import type { Project, ProjectOverview } from "#lib/contract/projects";
import type { SavedComparison } from "#lib/contract/saved-comparisons";
import type { Difference } from "#lib/contract/scenario-differences";
import type { ScenarioFilters } from "#lib/contract/scenario-list";
import type { PreviewRequest, ScenarioPreview } from "#lib/contract/scenario-preview";
import type { ScenarioRows } from "#lib/contract/scenario-rows";
import type { Comparison, Contributions, PredictionChart } from "#lib/contract/scenario-series";
import type { Adjustment, Scenario, ScenarioValidation } from "#lib/contract/scenarios";
import type { Sensitivity } from "#lib/contract/sensitivity";
import type { TargetSeries } from "#lib/contract/target-series";
import { ApiError, api } from "./client.ts";
import { keys } from "./keys.ts";

export const comparePath = (projectId: string, query: string) =>
  `/projects/${projectId}/scenarios/compare?${query}`;

/** Path of a resource after `/api/v1`, and the key under which its data are cached. */
type Address = { path: string; queryKey: QueryKey };

/** Returns the address of a resource in a project. The key has the project's subtrees: a part for each part of the path. */
const inProject = (projectId: string, path: string): Address => ({
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

/** Reads one resource. */
const one = <T>({ path, queryKey }: Address) =>
  queryOptions({
    queryKey,
    queryFn: ({ signal }) => api.get<T>(path, { signal }),
    meta: { path, as: "one" },
  });

/** Reads one resource by a POST request that changes nothing. */
const oneByPost = <T>({ path, queryKey }: Address, body: unknown) =>
  queryOptions({
    queryKey: [...queryKey, body],
    queryFn: ({ signal }) => api.post<T>(path, body, { signal }),
  });

/** Reads all pages of a list. */
const all = <T>({ path, queryKey }: Address) => {
  const pages = `${path}${path.includes("?") ? "&" : "?"}limit=200`;
  return queryOptions({
    queryKey,
    queryFn: ({ signal }) => api.all<T>(pages, { signal }),
    meta: { path: pages, as: "whole" },
  });
};

/** Reads a list page by page. The data are the items of all pages so far. */
const pages = <T>({ path, queryKey }: Address) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ signal, pageParam }) => api.list<T>(path, pageParam, { signal }),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor,
    select: itemsOf<T>,
    meta: { path, as: "pages" },
  });

const itemsOf = <T>({ pages }: { pages: { items: T[] }[] }) => pages.flatMap(({ items }) => items);

/** Reads a resource of a project. */
const ofProject = <T>(projectId: string, path: string) => one<T>(inProject(projectId, path));

/** Reads a resource once its ID is known. */
const onceKnown = <T>(projectId: string, list: string, id: string | null) => ({
  ...ofProject<T>(projectId, `/${list}/${id ?? ""}`),
  enabled: id !== null,
});

/** Reads a part of a scenario. */
const ofScenario = <T>(projectId: string, id: string, part: string) =>
  ofProject<T>(projectId, `/scenarios/${id}/${part}`);

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

const projectOptions = (projectId: string) => ofProject<Project>(projectId, "");

/** Returns null for a project without a dataset, without a request that would log an error in the browser. */
async function findDataset(client: QueryClient, projectId: string, signal: AbortSignal) {
  const project = await client.fetchQuery(projectOptions(projectId)).catch(() => null);
  return project?.hasDataset === false
    ? null
    : orNull(api.get<Dataset>(`/projects/${projectId}/dataset`, { signal }));
}

const comparison = (projectId: string, query: string) =>
  ofProject<Comparison>(projectId, `/scenarios/compare?${query}`);

type Recipe = {
  baseScenarioId: string | null;
  checkpointId: string | null;
  adjustments: Adjustment[];
};

/** Queries of the dashboard. `query` is the query of the URL, without the question mark. */
export const queries = {
  projects: () => all<ProjectOverview>({ path: "/projects", queryKey: keys.projects() }),
  project: projectOptions,
  dataset: (projectId: string) =>
    queryOptions({
      queryKey: keys.dataset(projectId),
      queryFn: ({ client, signal }) => findDataset(client, projectId, signal),
    }),
  /** Target of the project's dataset over time. */
  targetSeries: (projectId: string) => ofProject<TargetSeries>(projectId, "/dataset/target"),
  models: (projectId: string) => all<Model>(inProject(projectId, "/models")),
  modelChanges: (projectId: string, id: string) =>
    ofProject<ModelChanges>(projectId, `/models/${id}/changes`),
  checkpoints: (projectId: string) => all<Checkpoint>(inProject(projectId, "/checkpoints?include=usage")),
  checkpoint: (projectId: string, id: string | null) =>
    onceKnown<CheckpointDetail>(projectId, "checkpoints", id),
  record: (projectId: string, id: string) =>
    ofProject<CheckpointRecord>(projectId, `/checkpoints/${id}/record`),
  comparisons: (projectId: string) => all<SavedComparison>(inProject(projectId, "/comparisons")),
  scenarios: (projectId: string, query = "") => pages<Scenario>(inProject(projectId, `/scenarios?${query}`)),
  scenarioFilters: (projectId: string) => ofProject<ScenarioFilters>(projectId, "/scenarios/filters"),
  scenario: (projectId: string, id: string | null) => onceKnown<Scenario>(projectId, "scenarios", id),
  predictionChart: (projectId: string, id: string, query: string) =>
    kept(ofScenario<PredictionChart>(projectId, id, `predictions?${query}`)),
  contributions: (projectId: string, id: string, row: number) =>
    kept(ofScenario<Contributions>(projectId, id, `predictions/contributions?rows=${row}`)),
  actuals: (projectId: string, id: string) =>
    ofScenario<ScenarioActuals>(projectId, id, `actuals?levels=${fanLevels}`),
  /** Actuals of each row between two times, both inclusive. */
  actualRows: (projectId: string, id: string, from: string, to: string) =>
    ofScenario<ScenarioActuals>(projectId, id, `actuals?maxPoints=20000&from=${from}&to=${to}`),
  /** One page of a scenario's rows. */
  scenarioRows: (projectId: string, id: string, offset: number, limit: number) =>
    kept(ofScenario<ScenarioRows>(projectId, id, `rows?offset=${offset}&limit=${limit}`)),
  /** First row of the newest scenario that the service generated for a checkpoint; null without such a scenario. */
  generatedRow: (projectId: string, checkpointId: string) =>
    queryOptions({
      queryKey: [...keys.scenarios(projectId), "generated-row", checkpointId],
      queryFn: async ({ signal }) => {
        const list = `/projects/${projectId}/scenarios`;
        const query = `limit=1&source=Generated&status=Completed&checkpointId=${checkpointId}`;
        const [scenario] = (await api.list<Scenario>(`${list}?${query}`, "", { signal })).items;
        return scenario ? api.get<ScenarioRows>(`${list}/${scenario.id}/rows?limit=1`, { signal }) : null;
      },
    }),
  extrapolation: (projectId: string, id: string) => ofScenario<Extrapolation>(projectId, id, "extrapolation"),
  generatedInputs: (projectId: string, id: string) =>
    ofScenario<GeneratedInputs>(projectId, id, "generated-inputs"),
  difference: (projectId: string, id: string, query: string) =>
    kept(ofScenario<Difference>(projectId, id, `difference?${query}`)),
  sensitivity: (projectId: string, id: string, query: string) => ({
    ...ofScenario<Sensitivity>(projectId, id, `sensitivity?${query}`),
    // An error states what the scenario lacks. Another attempt takes seconds and gets the same.
    retry: false,
  }),
  /** Predictions with adjusted inputs. The previous ones of the scenario stay visible, and a newer request aborts this one. */
  preview: (projectId: string, id: string, body: PreviewRequest) => ({
    ...oneByPost<ScenarioPreview>(inProject(projectId, `/scenarios/${id}/preview`), body),
    placeholderData: (before: ScenarioPreview | undefined, query?: { queryKey: QueryKey }) =>
      query?.queryKey.includes(id) ? before : undefined,
    // A slider leaves one response for each position.
    gcTime: 30_000,
    retry: false,
  }),
  /** Reads what a worker of the page needs to predict edits. */
  liveModel: (projectId: string, id: string) => ({
    ...ofScenario<LiveModelResponse>(projectId, id, "live-model"),
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
    ofProject<Extrapolations>(projectId, `/scenarios/extrapolation?ids=${ids.join(",")}`),
  /** Number of rows that each step of a recipe changes in a scenario's input. */
  recipe: (projectId: string, recipe: Recipe) =>
    oneByPost<ScenarioValidation>(inProject(projectId, "/scenarios/validate"), recipe),
  predict: (projectId: string, body: PredictRequest) =>
    kept(oneByPost<Prediction>(inProject(projectId, "/predict"), body)),
  jobs: (projectId: string) =>
    pages<Job>({ path: `/jobs/project/${projectId}`, queryKey: keys.jobs(projectId) }),
  job: (projectId: string, id: string) =>
    one<Job>({ path: `/jobs/${id}`, queryKey: [...keys.jobs(projectId), id] }),
  apiKeys: (projectId: string) => all<ListedApiKey>(inProject(projectId, "/api-keys")),
  audit: (projectId: string, query: string) => pages<AuditEntry>(inProject(projectId, `/audit?${query}`)),
  allAudit: (query: string) => pages<AuditEntry>({ path: `/audit?${query}`, queryKey: ["audit", query] }),
  members: () => all<ListedMember>({ path: "/members", queryKey: keys.members() }),
};
