const UNIQUE_VIOLATION = "23505";

/**
 * Whether an error, or what caused it, is PostgreSQL's refusal of a second row with the same value, and of which
 * constraint or unique index.
 */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, constraint_name } = at as Error & { code?: unknown; constraint_name?: unknown };
    if (code === UNIQUE_VIOLATION && constraint_name === constraint) return true;
  }
  return false;
}
