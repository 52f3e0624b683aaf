/**
 * IDs of one fictitious project and its resources. All examples use the same IDs, so that they form one consistent
 * story.
 */
export const ids = {
  project: "0190f3c8-7d2e-7c1a-9a53-4f1c2b3d4e5f",
  upstreamProject: "0190f3c8-1a44-7e0b-8c21-6d5e4f3a2b1c",
  checkpoint: "0190f3d2-64b0-7f3e-a1d2-90c8b7a6f5e4",
  upstreamCheckpoint: "0190f3d2-64b1-7a09-b3c4-18e7d6c5b4a3",
  scenario: "0190f3e1-0c9a-7b57-8e6f-2a1b3c4d5e6f",
  otherScenario: "0190f3e1-5d7c-7c88-9f0a-3b2c4d5e6f70",
  override: "0190f3e2-0d4b-7e35-9a6c-2b3c4d5e6f71",
  comparison: "0190f3e2-2b6d-7a14-8c9e-5e6f7081920a",
  job: "0190f3e1-0c9b-7d10-a5b6-4c3d5e6f7081",
  model: "0190f3d0-2e1f-7a6b-9c8d-5d4e6f708192",
  apiKey: "0190f3cb-93a5-7e42-b7c6-6e5f708192a3",
  webhook: "0190f3cc-04d1-7b36-8e5f-a1b2c3d4e5f6",
  delivery: "0190f3e1-72e4-7d58-9a0b-b2c3d4e5f607",
  dataset: "0190f3cf-5b21-7c34-9d0e-9182031425a6",
  upload: "0190f3df-b806-7f91-8d2e-7f60819203b4",
  event: "0190f3e1-71d3-7062-9e4f-8071920314c5",
  request: "0190f3e0-4f2d-7b8c-a6d5-918203142536",
  session: "Bq7nL2xV9kT4mR8wY3zC6dF1gH5jK0pS",
  user: "Zt4mQ8yLw2RkVb6nXc1pHs9dJf3gUe7a",
} as const;
