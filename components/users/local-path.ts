/**
 * Where to go after signing in: an address of this site, whatever a link said. Browsers drop tabs and line ends in
 * addresses and take `\\` for `/`, so what counts is where the address leads and not how it is written.
 */
export function localPath(next: unknown, otherwise: string): string {
  if (typeof next !== "string" || !next.startsWith("/")) return otherwise;
  const here = "http://here.invalid";
  if (!URL.canParse(next, here)) return otherwise;
  const { origin, pathname, search, hash } = new URL(next, here);
  return origin === here && !pathname.startsWith("//") ? pathname + search + hash : otherwise;
}
