import { type inferParserType, parseAsStringLiteral } from "nuqs/server";
import { type Aggregate, aggregates, type Buckets, bucketUnits } from "#lib/contract/buckets";

/** Aggregation of the points in the URL of a page. Without `aggregate`, the service chooses the statistic. */
export const bucketParsers = {
  bucket: parseAsStringLiteral(["auto", "rows", ...bucketUnits]).withDefault("auto"),
  aggregate: parseAsStringLiteral(aggregates),
};

export type BucketChoice = inferParserType<typeof bucketParsers>;

/** Returns the API's parameters. */
export function bucketParams({ bucket, aggregate }: BucketChoice): {
  bucket?: Exclude<BucketChoice["bucket"], "rows">;
  aggregate?: Aggregate;
} {
  if (bucket === "rows") return {};
  return aggregate === null ? { bucket } : { bucket, aggregate };
}

/** Returns the choice that gives the points of a response, also over another span. */
export function shownChoice(buckets: Buckets | undefined, { aggregate }: BucketChoice): BucketChoice {
  return buckets ? { bucket: buckets.unit, aggregate: buckets.aggregate } : { bucket: "rows", aggregate };
}

/** Returns the choice as parameters of a link to another page, beginning with `mark`; empty for the default. */
export function bucketLink({ bucket, aggregate }: BucketChoice, mark: "?" | "&"): string {
  const query = new URLSearchParams({
    ...(bucket !== "auto" && { bucket }),
    ...(aggregate !== null && { aggregate }),
  }).toString();
  return query && mark + query;
}
