import type { Database } from "#db/client";
import { projectExists } from "#lib/domain/projects/require-project";
import { DomainError } from "#lib/platform/errors/domain-error";
import { standardError } from "#lib/platform/errors/standard-error";
import { ArtifactNotFoundError } from "#lib/platform/storage/storage-errors";

const ATTEMPTS_MAX = 3;

/**
 * Runs an operation while concurrent requests may delete the resources it uses. If an artifact is missing, its row was
 * deleted, too: the operation runs again and finds the current state. If the project itself was deleted, throws
 * `project_not_found` instead of any error except a `DomainError`.
 *
 * @param params of the path, with the project's ID if present
 * @throws {DomainError} `project_not_found`, and the errors of the operation
 */
export async function retryOnConcurrentDelete<T>(
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
