import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import { fanLevels } from "#components/chart/columns.ts";
import type { CheckpointRecord, ModelChanges, ScenarioActuals } from "#lib/contract/actuals";
import type { ListedApiKey } from "#lib/contract/api-keys";
import type { AuditEntry } from "#lib/contract/audit";
import type { Checkpoint, CheckpointDetail } from "#lib/contract/checkpoints";
import type { Dataset } from "#lib/contract/datasets";
import type { Extrapolation, Extrapolations } from "#lib/contract/extrapolation";
import type { GeneratedInputs } from "#lib/contract/generated-inputs";
import type { Job } from "#lib/contract/jobs";
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
import type { Scenario, ScenarioValidation } from "#lib/contract/scenarios";
import type { Sensitivity } from "#lib/contract/sensitivity";
import type { TargetSeries } from "#lib/contract/target-series";
import { ApiError, api } from "./client.ts";
import { keys, type Recipe } from "./keys.ts";

export const comparePath = (projectId: string, query: string) =>
  `/projects/${projectId}/scenarios/compare?${query}`;

/** Returns null for a missing resource (no dataset, no model), which is an empty state rather than an error. */
async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

const projectOptions = (projectId: string) =>
  queryOptions({
    queryKey: keys.project(projectId),
    queryFn: ({ signal }) => api.get<Project>(`/projects/${projectId}`, { signal }),
  });

/** Returns null for a project without a dataset, without a request that would log an error in the browser. */
async function findDataset(client: QueryClient, projectId: string, signal: AbortSignal) {
  const project = await client.fetchQuery(projectOptions(projectId)).catch(() => null);
  return project?.hasDataset === false
    ? null
    : orNull(api.get<Dataset>(`/projects/${projectId}/dataset`, { signal }));
}

export const queries = {
  projects: () =>
    queryOptions({
      queryKey: keys.projects(),
      queryFn: ({ signal }) => api.all<ProjectOverview>("/projects", { signal }),
    }),
  project: projectOptions,
  dataset: (projectId: string) =>
    queryOptions({
      queryKey: keys.dataset(projectId),
      queryFn: ({ client, signal }) => findDataset(client, projectId, signal),
    }),
  /** Target of the project's dataset over time. */
  targetSeries: (projectId: string) =>
    queryOptions({
      queryKey: keys.targetSeries(projectId),
      queryFn: ({ signal }) => api.get<TargetSeries>(`/projects/${projectId}/dataset/target`, { signal }),
    }),
  models: (projectId: string) =>
    queryOptions({
      queryKey: keys.models(projectId),
      queryFn: ({ signal }) => api.all<Model>(`/projects/${projectId}/models`, { signal }),
    }),
  checkpoints: (projectId: string) =>
    queryOptions({
      queryKey: keys.checkpoints(projectId),
      queryFn: ({ signal }) =>
        api.all<Checkpoint>(`/projects/${projectId}/checkpoints?include=usage`, { signal }),
    }),
  checkpoint: (projectId: string, id: string) =>
    queryOptions({
      queryKey: keys.checkpoint(projectId, id),
      queryFn: ({ signal }) =>
        api.get<CheckpointDetail>(`/projects/${projectId}/checkpoints/${id}`, { signal }),
    }),
  /** @param query filters and order of the list, as in its URL */
  scenarios: (projectId: string, query = "") =>
    infiniteQueryOptions({
      queryKey: keys.scenarioList(projectId, query),
      queryFn: ({ signal, pageParam }) => {
        const search = new URLSearchParams(query);
        if (pageParam) search.set("cursor", pageParam);
        return api.list<Scenario>(`/projects/${projectId}/scenarios?${search}`, { signal });
      },
      initialPageParam: "",
      getNextPageParam: (page) => page.nextCursor,
    }),
  scenarioFilters: (projectId: string) =>
    queryOptions({
      queryKey: keys.scenarioFilters(projectId),
      queryFn: ({ signal }) =>
        api.get<ScenarioFilters>(`/projects/${projectId}/scenarios/filters`, { signal }),
    }),
  comparisons: (projectId: string) =>
    queryOptions({
      queryKey: keys.comparisons(projectId),
      queryFn: ({ signal }) => api.all<SavedComparison>(`/projects/${projectId}/comparisons`, { signal }),
    }),
  scenario: (projectId: string, id: string) =>
    queryOptions({
      queryKey: keys.scenario(projectId, id),
      queryFn: ({ signal }) => api.get<Scenario>(`/projects/${projectId}/scenarios/${id}`, { signal }),
    }),
  predictionChart: (projectId: string, id: string, query: string) =>
    queryOptions({
      queryKey: keys.predictions(projectId, id, query),
      queryFn: ({ signal }) =>
        api.get<PredictionChart>(`/projects/${projectId}/scenarios/${id}/predictions?${query}`, { signal }),
    }),
  actuals: (projectId: string, id: string) =>
    queryOptions({
      queryKey: keys.actuals(projectId, id),
      queryFn: ({ signal }) =>
        api.get<ScenarioActuals>(`/projects/${projectId}/scenarios/${id}/actuals?levels=${fanLevels}`, {
          signal,
        }),
    }),
  /** Actuals of each row between two times, both inclusive. */
  actualRows: (projectId: string, id: string, from: string, to: string) =>
    queryOptions({
      queryKey: keys.actualRows(projectId, id, from, to),
      queryFn: ({ signal }) =>
        api.get<ScenarioActuals>(
          `/projects/${projectId}/scenarios/${id}/actuals?maxPoints=20000&from=${from}&to=${to}`,
          { signal },
        ),
    }),
  record: (projectId: string, checkpointId: string) =>
    queryOptions({
      queryKey: keys.record(projectId, checkpointId),
      queryFn: ({ signal }) =>
        api.get<CheckpointRecord>(`/projects/${projectId}/checkpoints/${checkpointId}/record`, { signal }),
    }),
  modelChanges: (projectId: string, modelId: string) =>
    queryOptions({
      queryKey: keys.modelChanges(projectId, modelId),
      queryFn: ({ signal }) =>
        api.get<ModelChanges>(`/projects/${projectId}/models/${modelId}/changes`, { signal }),
    }),
  /** One page of a scenario's rows. The previous page stays visible while the next one loads. */
  scenarioRows: (projectId: string, id: string, offset: number, limit: number) =>
    queryOptions({
      queryKey: keys.scenarioRows(projectId, id, offset, limit),
      queryFn: ({ signal }) =>
        api.get<ScenarioRows>(`/projects/${projectId}/scenarios/${id}/rows?offset=${offset}&limit=${limit}`, {
          signal,
        }),
      placeholderData: (previous) => previous,
    }),
  contributions: (projectId: string, id: string, row: number) =>
    queryOptions({
      queryKey: keys.contributions(projectId, id, row),
      queryFn: ({ signal }) =>
        api.get<Contributions>(
          `/projects/${projectId}/scenarios/${id}/predictions/contributions?rows=${row}`,
          { signal },
        ),
    }),
  compare: (projectId: string, query: string) =>
    queryOptions({
      queryKey: keys.compare(projectId, query),
      queryFn: ({ signal }) => api.get<Comparison>(comparePath(projectId, query), { signal }),
      placeholderData: (previous) => previous,
    }),
  extrapolation: (projectId: string, id: string) =>
    queryOptions({
      queryKey: keys.extrapolation(projectId, id),
      queryFn: ({ signal }) =>
        api.get<Extrapolation>(`/projects/${projectId}/scenarios/${id}/extrapolation`, { signal }),
    }),
  /** Extrapolation of several scenarios in one request, by scenario ID. */
  extrapolations: (projectId: string, ids: readonly string[]) =>
    queryOptions({
      queryKey: keys.extrapolations(projectId, ids),
      queryFn: ({ signal }) =>
        api.get<Extrapolations>(`/projects/${projectId}/scenarios/extrapolation?ids=${ids.join(",")}`, {
          signal,
        }),
    }),
  generatedInputs: (projectId: string, id: string) =>
    queryOptions({
      queryKey: keys.generatedInputs(projectId, id),
      queryFn: ({ signal }) =>
        api.get<GeneratedInputs>(`/projects/${projectId}/scenarios/${id}/generated-inputs`, { signal }),
    }),
  difference: (projectId: string, id: string, query: string) =>
    queryOptions({
      queryKey: keys.difference(projectId, id, query),
      queryFn: ({ signal }) =>
        api.get<Difference>(`/projects/${projectId}/scenarios/${id}/difference?${query}`, { signal }),
      placeholderData: (previous) => previous,
    }),
  sensitivity: (projectId: string, id: string, query: string) =>
    queryOptions({
      queryKey: keys.sensitivity(projectId, id, query),
      queryFn: ({ signal }) =>
        api.get<Sensitivity>(`/projects/${projectId}/scenarios/${id}/sensitivity?${query}`, { signal }),
      // An error states what the scenario lacks. Another attempt takes seconds and gets the same.
      retry: false,
    }),
  /** Predictions with adjusted inputs. The previous ones stay visible, and a newer request aborts this one. */
  preview: (projectId: string, id: string, body: PreviewRequest) =>
    queryOptions({
      queryKey: keys.preview(projectId, id, body),
      queryFn: ({ signal }) =>
        api.post<ScenarioPreview>(`/projects/${projectId}/scenarios/${id}/preview`, body, { signal }),
      placeholderData: (previous) => previous,
      // A slider leaves one response for each position.
      gcTime: 30_000,
      retry: false,
    }),
  /** Number of rows that each step of a recipe changes in a scenario's input. */
  recipe: (projectId: string, recipe: Recipe) =>
    queryOptions({
      queryKey: keys.recipe(projectId, recipe),
      queryFn: ({ signal }) =>
        api.post<ScenarioValidation>(`/projects/${projectId}/scenarios/validate`, recipe, { signal }),
    }),
  predict: (projectId: string, body: PredictRequest) =>
    queryOptions({
      queryKey: keys.predict(projectId, body),
      queryFn: ({ signal }) => api.post<Prediction>(`/projects/${projectId}/predict`, body, { signal }),
      placeholderData: (previous) => previous,
    }),
  jobs: (projectId: string) =>
    infiniteQueryOptions({
      queryKey: keys.jobs(projectId),
      queryFn: ({ signal, pageParam }) =>
        api.list<Job>(`/jobs/project/${projectId}${pageParam ? `?cursor=${pageParam}` : ""}`, { signal }),
      initialPageParam: "",
      getNextPageParam: (page) => page.nextCursor,
    }),
  apiKeys: (projectId: string) =>
    queryOptions({
      queryKey: keys.apiKeys(projectId),
      queryFn: ({ signal }) => api.all<ListedApiKey>(`/projects/${projectId}/api-keys`, { signal }),
    }),
  audit: (projectId: string, query: string) =>
    auditOptions(keys.audit(projectId, query), `/projects/${projectId}/audit`, query),
  allAudit: (query: string) => auditOptions(keys.allAudit(query), "/audit", query),
  members: () =>
    queryOptions({
      queryKey: keys.members(),
      queryFn: ({ signal }) => api.all<ListedMember>("/members", { signal }),
    }),
};

function auditOptions(queryKey: readonly string[], path: string, query: string) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ signal, pageParam }) => {
      const search = new URLSearchParams(query);
      if (pageParam) search.set("cursor", pageParam);
      return api.list<AuditEntry>(`${path}?${search}`, { signal });
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor,
  });
}
