import { serveTask } from "#lib/platform/threads/thread";
import { inputTasks } from "./input-tasks.ts";

await serveTask(inputTasks);
