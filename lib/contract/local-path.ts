/**
 * Returns the address after sign-in, which is always on this site. Browsers drop tabs and line ends in addresses and
 * treat `\\` as `/`, so the check resolves the address instead of parsing its text.
 */
export function localPath(next: unknown, otherwise: string): string {
  if (typeof next !== "string" || !next.startsWith("/")) return otherwise;
  const here = "http://here.invalid";
  if (!URL.canParse(next, here)) return otherwise;
  const { origin, pathname, search, hash } = new URL(next, here);
  return origin === here && !pathname.startsWith("//") ? pathname + search + hash : otherwise;
}
