import { abandonScenario } from "#lib/domain/scenarios/abandon-scenario";
import { computeScenario } from "#lib/domain/scenarios/compute-scenario";
import { retryScenario } from "#lib/domain/scenarios/retry-scenario";
import type { JobHandler } from "../job-handler.ts";

export const createScenario: JobHandler<"CreateScenario"> = {
  run: computeScenario,
  abandon: abandonScenario,
  retry: retryScenario,
};
