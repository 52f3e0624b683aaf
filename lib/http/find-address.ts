import { routeMethods } from "./route-methods.ts";

type Address = { segments: string[]; methods: readonly string[] };

const isParameter = (segment: string) => segment.startsWith("{");

/** Named segments come before parameters, as Next.js chooses routes: `project` in `/jobs/project/…` is no job's id. */
const addresses: ReadonlyMap<number, readonly Address[]> = Map.groupBy(
  Object.entries(routeMethods)
    .map(([path, methods]) => ({ segments: path.slice(1).split("/"), methods }))
    .toSorted((a, b) => rank(a).localeCompare(rank(b))),
  ({ segments }) => segments.length,
);

function rank({ segments }: Address): string {
  return segments.map((segment) => (isParameter(segment) ? "1" : "0")).join("");
}

/** Methods that the API takes at a path; null where there is nothing at it. */
export function methodsAt(pathname: string): readonly string[] | null {
  const given = pathname.slice(1).split("/");
  const found = addresses.get(given.length)?.find(({ segments }) => matches(segments, given));
  return found?.methods ?? null;
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
