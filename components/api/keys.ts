/**
 * Query keys that pages share, grouped by project so that an event invalidates one subtree. The keys of single resources
 * are in `queries.ts`.
 */
export const keys = {
  projects: () => ["projects"] as const,
  project: (projectId: string) => ["project", projectId] as const,
  dataset: (projectId: string) => ["project", projectId, "dataset"] as const,
  checkpoints: (projectId: string) => ["project", projectId, "checkpoints"] as const,
  comparisons: (projectId: string) => ["project", projectId, "comparisons"] as const,
  scenarios: (projectId: string) => ["project", projectId, "scenarios"] as const,
  scenarioList: (projectId: string, query = "") =>
    ["project", projectId, "scenarios", "list", query] as const,
  compare: (projectId: string, query: string) =>
    ["project", projectId, "scenarios", "compare", query] as const,
  jobs: (projectId: string) => ["project", projectId, "jobs"] as const,
  members: () => ["members"] as const,
};
