/**
 * Query keys that pages share, grouped by project so that an event invalidates one subtree. The keys of single resources
 * are in `queries.ts`.
 */
export const keys = {
  projects: () => ["projects"] as const,
  project: (projectId: string) => ["project", projectId] as const,
  dataset: (projectId: string) => ["project", projectId, "dataset"] as const,
  comparisons: (projectId: string) => ["project", projectId, "comparisons"] as const,
  scenarios: (projectId: string) => ["project", projectId, "scenarios"] as const,
  jobs: (projectId: string) => ["project", projectId, "jobs"] as const,
  members: () => ["members"] as const,
  sessions: () => ["sessions"] as const,
};
