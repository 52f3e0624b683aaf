import { removeScenario } from "#lib/domain/scenarios/remove-scenario";
import type { JobHandler } from "../job-handler.ts";

export const deleteScenario: JobHandler<"DeleteScenario"> = { run: removeScenario };
