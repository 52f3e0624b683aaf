import { serveTask } from "#lib/threads/serve-task";
import { inputTasks } from "./input-tasks.ts";

await serveTask(inputTasks);
