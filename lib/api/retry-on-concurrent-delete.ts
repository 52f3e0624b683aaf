import type { Database } from "#db/client";
import { DomainError } from "#lib/platform/errors/domain-error";
import { standardError } from "#lib/platform/errors/standard-error";
import { ArtifactNotFoundError } from "#lib/platform/storage/storage-errors";
import { projectExists } from "#lib/projects/project-exists";

const ATTEMPTS_MAX = 3;

/**
 * Runs an operation while others may delete what it works with. Files that were gone before they were read belong to a
 * row that is gone as well: it runs anew, and finds what is there now. And whatever fails in a project that has gone
 * itself, there is no such project.
 *
 * @param params of the path, with the project's id where there is one
 * @throws {DomainError} `project_not_found`, and what the operation throws
 */
export async function whileOthersDelete<T>(
  db: Database,
  params: unknown,
  operation: () => Promise<T>,
): Promise<T> {
  const { projectId } = (params ?? {}) as { projectId?: string };
  for (let attempt = 1; ; attempt++) {
    try {
      return await operation();
    } catch (error) {
      if (error instanceof DomainError) throw error;
      if (projectId !== undefined && !(await projectExists(db, projectId)))
        throw standardError("project_not_found");
      if (!(error instanceof ArtifactNotFoundError) || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}
