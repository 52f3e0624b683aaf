import { ApiError, api, type Etag } from "#components/api/client.ts";
import type { ResponseOf } from "#components/api/route-types.ts";

/** Attempts to change a resource that other changes keep overtaking, such as the progress of a job. */
const ATTEMPTS = 3;

/**
 * Changes a resource by its version. Reads it again first, because fields that the user does not edit may have changed
 * since, such as the status of a scenario.
 *
 * @param send changes this version of the resource; throws if the user should decide first
 * @throws {ApiError} `precondition_failed` if other changes overtake each attempt
 */
export async function changeResource<P extends string, Result>(
  path: P,
  send: (stored: ResponseOf<"GET", P>, etag: Etag) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    const { data, etag } = await api.version(path);
    try {
      return await send(data, etag);
    } catch (error) {
      const isOvertaken = error instanceof ApiError && error.status === 412;
      if (!isOvertaken || attempt === ATTEMPTS) throw error;
    }
  }
}
