import { abandonScenario } from "#lib/scenarios/abandon-scenario";
import { computeScenario } from "#lib/scenarios/compute-scenario";
import { retryScenario } from "#lib/scenarios/retry-scenario";
import type { JobHandler } from "../job-handler.ts";

export const createScenario: JobHandler<"CreateScenario"> = {
  run: computeScenario,
  abandon: abandonScenario,
  retry: retryScenario,
};
