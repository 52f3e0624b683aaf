import { routeMethods } from "./route-methods.ts";

type Address = { segments: string[]; methods: readonly string[] };

const isParameter = (segment: string) => segment.startsWith("{");

/**
 * Routes by number of segments. Literal segments come before parameters, as in Next.js: `project` in `/jobs/project/…` is
 * not a job ID.
 */
const addresses: ReadonlyMap<number, readonly Address[]> = Map.groupBy(
  Object.entries(routeMethods)
    .map(([path, methods]) => ({ segments: path.slice(1).split("/"), methods }))
    .toSorted((a, b) => rank(a).localeCompare(rank(b))),
  ({ segments }) => segments.length,
);

function rank({ segments }: Address): string {
  return segments.map((segment) => (isParameter(segment) ? "1" : "0")).join("");
}

/**
 * Returns the methods of the route at a path.
 *
 * @param pathname as received, still encoded
 * @returns null if no route has this path
 */
export function findMethods(pathname: string): readonly string[] | null {
  const parts = pathname.slice(1).split("/");
  const address = addresses.get(parts.length)?.find(({ segments }) => matches(segments, parts));
  return address?.methods ?? null;
}

function matches(segments: readonly string[], parts: readonly string[]): boolean {
  return segments.every((segment, at) => (isParameter(segment) ? isName(parts[at]!) : segment === parts[at]));
}

/** Returns whether a segment can be a parameter: not empty, not a dot segment, without backslash, and decodable. */
function isName(segment: string): boolean {
  if (segment === "" || segment.includes("\\") || /^(?:\.|%2e){1,2}$/i.test(segment)) return false;
  try {
    decodeURIComponent(segment);
    return true;
  } catch {
    return false;
  }
}
