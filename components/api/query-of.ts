/** Writes parameters as a query, without those that are not set: null, undefined and empty texts. */
export function queryOf(parameters: Readonly<Record<string, string | number | null | undefined>>): string {
  const set = Object.entries(parameters).filter(([, value]) => value !== "" && value != null);
  return new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString();
}
