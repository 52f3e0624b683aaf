import { useId } from "react";
import { Button } from "#components/ui/button.tsx";
import { Input } from "#components/ui/input.tsx";
import type { Scenario } from "#lib/contract/scenarios";

/** First and last day of a span, as date fields write them; empty: the ends of the scenario. */
export type DaySpan = { from: string; to: string };

/** Selects the days of a scenario with times. */
export function SpanFields({
  scenario: { firstTimestamp, lastTimestamp },
  span,
  onChange,
}: {
  scenario: Scenario;
  span: DaySpan;
  onChange(change: Partial<DaySpan>): void;
}) {
  const id = useId();
  const [first, last] = [firstTimestamp?.slice(0, 10), lastTimestamp?.slice(0, 10)];
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-[13px] print:hidden">
      {(["from", "to"] as const).map((end) => (
        <label key={end} htmlFor={`${id}-${end}`} className="flex items-center gap-2">
          <span className="sm:min-w-9">{end === "from" ? "From" : "To"}</span>
          <Input
            id={`${id}-${end}`}
            type="date"
            min={end === "to" && span.from ? span.from : first}
            max={end === "from" && span.to ? span.to : last}
            value={span[end] || (end === "from" ? first : last)}
            onChange={(event) => onChange({ [end]: event.target.value })}
            className="!w-auto"
          />
        </label>
      ))}
      {(span.from || span.to) && (
        <Button size="sm" look="quiet" onClick={() => onChange({ from: "", to: "" })}>
          Whole scenario
        </Button>
      )}
    </div>
  );
}
