import { checkpointBreaches } from "./breaches/checkpoints.ts";
import type { Breaches } from "./breaches/facts.ts";
import { jobBreaches } from "./breaches/jobs.ts";
import { projectBreaches } from "./breaches/projects.ts";
import { scenarioBreaches } from "./breaches/scenarios.ts";

/** Ways to break each invariant by plain SQL, past all code. */
export const breaches: Breaches = {
  ...projectBreaches,
  ...checkpointBreaches,
  ...scenarioBreaches,
  ...jobBreaches,
};
