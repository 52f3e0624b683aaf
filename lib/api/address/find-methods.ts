import { routeMethods } from "./route-methods.ts";

type Address = { path: string; segments: string[]; methods: readonly string[] };

/** Where a path leads. */
export type FoundAddress = {
  /** With its parameters' names, as the API's document writes it: `/api/v1/projects/{projectId}`. */
  path: string;
  methods: readonly string[];
  /** Decoded, by name. */
  params: Record<string, string>;
};

const isParameter = (segment: string) => segment.startsWith("{");

/** Named segments come before parameters, as Next.js chooses routes: `project` in `/jobs/project/…` is no job's id. */
const addresses: ReadonlyMap<number, readonly Address[]> = Map.groupBy(
  Object.entries(routeMethods)
    .map(([path, methods]) => ({ path, segments: path.slice(1).split("/"), methods }))
    .toSorted((a, b) => rank(a).localeCompare(rank(b))),
  ({ segments }) => segments.length,
);

function rank({ segments }: Address): string {
  return segments.map((segment) => (isParameter(segment) ? "1" : "0")).join("");
}

/**
 * Finds what the API has at a path.
 *
 * @param pathname as it came, still encoded
 * @returns null where there is nothing at it
 */
export function findAddress(pathname: string): FoundAddress | null {
  const given = pathname.slice(1).split("/");
  const found = addresses.get(given.length)?.find(({ segments }) => matches(segments, given));
  if (found === undefined) return null;
  const { path, segments, methods } = found;
  const params: Record<string, string> = {};
  for (const [at, segment] of segments.entries()) {
    if (isParameter(segment)) params[segment.slice(1, -1)] = decodeURIComponent(given[at]!);
  }
  return { path, methods, params };
}

function matches(segments: readonly string[], given: readonly string[]): boolean {
  return segments.every((segment, at) => (isParameter(segment) ? isName(given[at]!) : segment === given[at]));
}

/** What can stand for a parameter: neither nothing, nor what a URL's reader would resolve, nor what cannot be decoded. */
function isName(segment: string): boolean {
  if (segment === "" || segment.includes("\\") || /^(?:\.|%2e){1,2}$/i.test(segment)) return false;
  try {
    decodeURIComponent(segment);
    return true;
  } catch {
    return false;
  }
}
