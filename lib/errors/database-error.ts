/**
 * Whether an error, or what caused it, is PostgreSQL's refusal of a second row with the same value, and of which
 * constraint or unique index.
 */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return violates(error, "23505", constraint);
}

/** The same for a row that is still referred to, or that refers to a missing one. */
export function isForeignKeyViolation(error: unknown, constraint: string): boolean {
  return violates(error, "23503", constraint);
}

function violates(error: unknown, sqlState: string, constraint: string): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, constraint_name } = at as Error & { code?: unknown; constraint_name?: unknown };
    if (code === sqlState && constraint_name === constraint) return true;
  }
  return false;
}
