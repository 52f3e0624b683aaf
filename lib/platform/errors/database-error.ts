const UNIQUE_VIOLATION = "23505";

/** Returns whether an error or one of its causes is a violation of this unique constraint or index. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, constraint_name } = at as Error & { code?: unknown; constraint_name?: unknown };
    if (code === UNIQUE_VIOLATION && constraint_name === constraint) return true;
  }
  return false;
}
