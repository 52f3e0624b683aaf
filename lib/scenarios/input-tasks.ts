import type { Tasks } from "#lib/threads/task";
import { readInput } from "./read-input.ts";
import { splitScenarios } from "./split-scenarios.ts";

/** What is done with inputs that may be large. */
export const inputTasks = { read: readInput, split: splitScenarios } satisfies Tasks;
