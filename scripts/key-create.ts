// npm run -s key:create -- --project <id> --name <name>: prints a new API key, and nothing else, on standard output.
import { z } from "zod";
import { CreateApiKey } from "#lib/contract/api-keys";
import { problemOfLine } from "#lib/contract/visible-line";
import { createApiKey } from "#lib/domain/api-keys/create-api-key";
import { listProjects } from "#lib/domain/projects/list-projects";
import { projectExists } from "#lib/domain/projects/require-project";
import { findActingUser } from "#lib/domain/users/members";
import { closeDatabase, database } from "#lib/platform/database/process-database";
import { StartError } from "#lib/platform/errors/start-errors";
import { requireSchema } from "#lib/platform/health/require-schema";
import { newId } from "#lib/platform/ids/new-id";
import { reportAndExit } from "../server/report-and-exit.ts";
import { readOptions } from "./read-options.ts";

const usage = "Usage: npm run -s key:create -- --project <id> --name <name>";

try {
  const { project, name } = readArguments();
  const db = database();
  await requireSchema(db);
  const actor = { kind: "session", userId: await findActingUser(db), role: "admin" } as const;
  const projectId = z.guid().safeParse(project).data?.toLowerCase();
  if (projectId === undefined || !(await projectExists(db, projectId))) {
    const wrong =
      projectId === undefined
        ? `--project takes the id of a project. ${usage}`
        : `There is no project ${projectId}.`;
    throw new StartError(`${wrong}\n${namesOf(await listProjects({ db, actor }))}`);
  }
  const { key } = await createApiKey({ db, actor, requestId: newId() }, { projectId, name });
  await closeDatabase();
  process.stdout.write(`${key}\n`);
} catch (error) {
  reportAndExit(error);
}

/** Lists the latest projects with their ids. */
function namesOf({ items }: Awaited<ReturnType<typeof listProjects>>): string {
  if (items.length === 0) return "There are no projects yet.";
  return ["There are:", ...items.map(({ id, name }) => `  ${id}  ${name}`)].join("\n");
}

function readArguments(): { project: string | undefined; name: string } {
  const { project, name } = readOptions({ project: { type: "string" }, name: { type: "string" } }, usage);
  if (project === undefined && name === undefined) return { project, name: "" };
  const named = CreateApiKey.shape.name.safeParse(name);
  if (!named.success) {
    const problem = problemOfLine(name ?? "");
    const reason = problem === null ? "" : ` ${problem}.`;
    throw new StartError(`--name takes 1 to 100 characters on one line.${reason} ${usage}`);
  }
  return { project, name: named.data };
}
