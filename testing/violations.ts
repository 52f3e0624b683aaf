import { checkpointBreaches } from "./violations/checkpoints.ts";
import type { Breaches } from "./violations/facts.ts";
import { jobBreaches } from "./violations/jobs.ts";
import { projectBreaches } from "./violations/projects.ts";
import { scenarioBreaches } from "./violations/scenarios.ts";

/** SQL statements that violate each invariant without the service's code. */
export const breaches: Breaches = {
  ...projectBreaches,
  ...checkpointBreaches,
  ...scenarioBreaches,
  ...jobBreaches,
};
