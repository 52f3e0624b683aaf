import { Select } from "#components/ui/input.tsx";
import { aggregates, type Buckets, bucketUnits } from "#lib/contract/buckets";
import { unitNames } from "./axis.ts";
import type { BucketChoice } from "./bucket-state.ts";

const statisticNames = { sum: "Sum", mean: "Mean", last: "Last value" };

/** Selects the calendar unit of the points and the statistic of their rows. */
export function BucketControl({
  choice: { bucket, aggregate },
  shown,
  onChange,
}: {
  choice: BucketChoice;
  /** Aggregation of the shown points; undefined if they are rows. */
  shown: Buckets | undefined;
  onChange(change: Partial<BucketChoice>): void;
}) {
  const automatic = shown ? unitNames[shown.unit].toLowerCase() : "row";
  return (
    <div className="flex items-center gap-2">
      <Select
        aria-label="Points"
        className="h-8! w-auto! text-[13px]"
        value={bucket}
        onChange={(event) => onChange({ bucket: event.target.value as BucketChoice["bucket"] })}
        options={bucketUnits.map((unit) => [unit, `By ${unit}`])}
      >
        <option value="auto">{bucket === "auto" ? `Auto: by ${automatic}` : "Auto"}</option>
        <option value="rows">By row</option>
      </Select>
      <Select
        aria-label="Statistic"
        className="h-8! w-auto! text-[13px]"
        value={aggregate ?? shown?.aggregate ?? "mean"}
        disabled={shown === undefined}
        onChange={(event) => onChange({ aggregate: event.target.value as BucketChoice["aggregate"] })}
        options={aggregates.map((one) => [one, statisticNames[one]])}
      />
    </div>
  );
}
