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

/** Reads one resource. */
const one = <T>(queryKey: QueryKey, path: string) =>
  queryOptions({ queryKey, queryFn: ({ signal }) => api.get<T>(path, { signal }) });

/** Reads one resource by a POST request that changes nothing. */
const oneByPost = <T>(queryKey: QueryKey, path: string, body: unknown) =>
  queryOptions({ queryKey, queryFn: ({ signal }) => api.post<T>(path, body, { signal }) });

/** Reads all pages of a list. */
const all = <T>(queryKey: QueryKey, path: string) =>
  queryOptions({ queryKey, queryFn: ({ signal }) => api.all<T>(path, { signal }) });

/** Reads a list page by page. The data are the items of all pages so far. */
const pages = <T>(queryKey: QueryKey, path: string, query = "") =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ signal, pageParam }) => {
      const search = new URLSearchParams(query);
      if (pageParam) search.set("cursor", pageParam);
      return api.list<T>(`${path}?${search}`, { signal });
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor,
    select: itemsOf<T>,
  });

const itemsOf = <T>({ pages }: { pages: { items: T[] }[] }) => pages.flatMap(({ items }) => items);

/** Reads a part of a scenario. */
const ofScenario = <T>(projectId: string, id: string, part: string, query = "") =>
  one<T>(
    [...keys.scenarios(projectId), id, part, query],
    `/projects/${projectId}/scenarios/${id}/${part}${query && `?${query}`}`,
  );

/** Returns null for a missing resource (no dataset, no model), which is an empty state rather than an error. */
async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

const projectOptions = (projectId: string) => one<Project>(keys.project(projectId), `/projects/${projectId}`);

/** Returns null for a project without a dataset, without a request that would log an error in the browser. */
async function findDataset(client: QueryClient, projectId: string, signal: AbortSignal) {
  const project = await client.fetchQuery(projectOptions(projectId)).catch(() => null);
  return project?.hasDataset === false
    ? null
    : orNull(api.get<Dataset>(`/projects/${projectId}/dataset`, { signal }));
}

export type Recipe = {
  baseScenarioId: string | null;
  checkpointId: string | null;
  adjustments: Adjustment[];
};

/** Queries of the dashboard. `query` is the query of the URL, without the question mark. */
export const queries = {
  projects: () => all<ProjectOverview>(keys.projects(), "/projects"),
  project: projectOptions,
  dataset: (projectId: string) =>
    queryOptions({
      queryKey: keys.dataset(projectId),
      queryFn: ({ client, signal }) => findDataset(client, projectId, signal),
    }),
  /** Target of the project's dataset over time. */
  targetSeries: (projectId: string) =>
    one<TargetSeries>([...keys.dataset(projectId), "target"], `/projects/${projectId}/dataset/target`),
  models: (projectId: string) =>
    all<Model>([...keys.project(projectId), "models"], `/projects/${projectId}/models`),
  modelChanges: (projectId: string, id: string) =>
    one<ModelChanges>(
      [...keys.project(projectId), "models", id, "changes"],
      `/projects/${projectId}/models/${id}/changes`,
    ),
  checkpoints: (projectId: string) =>
    all<Checkpoint>(keys.checkpoints(projectId), `/projects/${projectId}/checkpoints?include=usage`),
  checkpoint: (projectId: string, id: string) =>
    one<CheckpointDetail>([...keys.checkpoints(projectId), id], `/projects/${projectId}/checkpoints/${id}`),
  record: (projectId: string, id: string) =>
    one<CheckpointRecord>(
      [...keys.checkpoints(projectId), id, "record"],
      `/projects/${projectId}/checkpoints/${id}/record`,
    ),
  comparisons: (projectId: string) =>
    all<SavedComparison>(keys.comparisons(projectId), `/projects/${projectId}/comparisons`),
  scenarios: (projectId: string, query = "") =>
    pages<Scenario>(keys.scenarioList(projectId, query), `/projects/${projectId}/scenarios`, query),
  scenarioFilters: (projectId: string) =>
    one<ScenarioFilters>(
      [...keys.scenarios(projectId), "filters"],
      `/projects/${projectId}/scenarios/filters`,
    ),
  scenario: (projectId: string, id: string) =>
    one<Scenario>([...keys.scenarios(projectId), id], `/projects/${projectId}/scenarios/${id}`),
  predictionChart: (projectId: string, id: string, query: string) =>
    ofScenario<PredictionChart>(projectId, id, "predictions", query),
  contributions: (projectId: string, id: string, row: number) =>
    ofScenario<Contributions>(projectId, id, "predictions/contributions", `rows=${row}`),
  actuals: (projectId: string, id: string) =>
    ofScenario<ScenarioActuals>(projectId, id, "actuals", `levels=${fanLevels}`),
  /** Actuals of each row between two times, both inclusive. */
  actualRows: (projectId: string, id: string, from: string, to: string) =>
    ofScenario<ScenarioActuals>(projectId, id, "actuals", `maxPoints=20000&from=${from}&to=${to}`),
  /** One page of a scenario's rows. The previous page stays visible while the next one loads. */
  scenarioRows: (projectId: string, id: string, offset: number, limit: number) => ({
    ...ofScenario<ScenarioRows>(projectId, id, "rows", `offset=${offset}&limit=${limit}`),
    placeholderData: keepPreviousData,
  }),
  extrapolation: (projectId: string, id: string) => ofScenario<Extrapolation>(projectId, id, "extrapolation"),
  generatedInputs: (projectId: string, id: string) =>
    ofScenario<GeneratedInputs>(projectId, id, "generated-inputs"),
  difference: (projectId: string, id: string, query: string) => ({
    ...ofScenario<Difference>(projectId, id, "difference", query),
    placeholderData: keepPreviousData,
  }),
  sensitivity: (projectId: string, id: string, query: string) => ({
    ...ofScenario<Sensitivity>(projectId, id, "sensitivity", query),
    // An error states what the scenario lacks. Another attempt takes seconds and gets the same.
    retry: false,
  }),
  /** Predictions with adjusted inputs. The previous ones of the scenario stay visible, and a newer request aborts this one. */
  preview: (projectId: string, id: string, body: PreviewRequest) => ({
    ...oneByPost<ScenarioPreview>(
      [...keys.scenarios(projectId), id, "preview", body],
      `/projects/${projectId}/scenarios/${id}/preview`,
      body,
    ),
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
  compare: (projectId: string, query: string) => ({
    ...one<Comparison>(keys.compare(projectId, query), comparePath(projectId, query)),
    placeholderData: keepPreviousData,
  }),
  /** Extrapolation of several scenarios in one request, by scenario ID. */
  extrapolations: (projectId: string, ids: readonly string[]) =>
    one<Extrapolations>(
      [...keys.scenarios(projectId), "extrapolation", ids],
      `/projects/${projectId}/scenarios/extrapolation?ids=${ids.join(",")}`,
    ),
  /** Number of rows that each step of a recipe changes in a scenario's input. */
  recipe: (projectId: string, recipe: Recipe) =>
    oneByPost<ScenarioValidation>(
      [...keys.scenarios(projectId), "recipe", recipe],
      `/projects/${projectId}/scenarios/validate`,
      recipe,
    ),
  predict: (projectId: string, body: PredictRequest) => ({
    ...oneByPost<Prediction>(
      [...keys.project(projectId), "predict", body],
      `/projects/${projectId}/predict`,
      body,
    ),
    placeholderData: keepPreviousData,
  }),
  jobs: (projectId: string) => pages<Job>(keys.jobs(projectId), `/jobs/project/${projectId}`),
  apiKeys: (projectId: string) =>
    all<ListedApiKey>([...keys.project(projectId), "api-keys"], `/projects/${projectId}/api-keys`),
  audit: (projectId: string, query: string) =>
    pages<AuditEntry>([...keys.project(projectId), "audit", query], `/projects/${projectId}/audit`, query),
  allAudit: (query: string) => pages<AuditEntry>(["audit", query], "/audit", query),
  members: () => all<ListedMember>(keys.members(), "/members"),
};
