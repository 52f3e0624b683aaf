// npm run -s key:create -- --project <id> --name <name>: prints a new API key, and nothing else, on standard output.
import { parseArgs } from "node:util";
import { z } from "zod";
import { closeDatabase, database } from "#db/client";
import { createApiKey } from "#lib/api-keys/create-api-key";
import { StartError } from "#lib/config/start-error";
import { CreateApiKey } from "#lib/contract/api-keys";
import { newId } from "#lib/ids/new-id";
import { projectExists } from "#lib/projects/project-exists";
import { findAnAdmin } from "#lib/users/find-an-admin";
import { reportAndExit } from "./report-and-exit.ts";

const usage = "Usage: npm run -s key:create -- --project <id> --name <name>";

try {
  const { projectId, name } = readArguments();
  const db = database();
  if (!(await projectExists(db, projectId))) throw new StartError(`There is no project ${projectId}.`);
  const userId = await findAnAdmin(db);
  const actor = { kind: "session", userId, role: "admin" } as const;
  const { key } = await createApiKey({ db, actor, requestId: newId() }, { projectId, name });
  await closeDatabase();
  process.stdout.write(`${key}\n`);
} catch (error) {
  reportAndExit(error);
}

function readArguments(): { projectId: string; name: string } {
  const { project, name } = parse();
  const projectId = z.guid().safeParse(project);
  if (!projectId.success) throw new StartError(`--project takes the id of a project. ${usage}`);
  const named = CreateApiKey.shape.name.safeParse(name);
  if (!named.success) throw new StartError(`--name takes 1 to 100 characters. ${usage}`);
  return { projectId: projectId.data.toLowerCase(), name: named.data };
}

function parse(): { project?: string; name?: string } {
  try {
    const options = { project: { type: "string" }, name: { type: "string" } } as const;
    const { values } = parseArgs({ options });
    return { ...values };
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : error}\n${usage}`, { cause: error });
  }
}
