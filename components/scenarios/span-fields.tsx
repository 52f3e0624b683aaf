import { useCalendar } from "#components/display/displays.tsx";
import { SpanInputs, type SpanTexts } from "#components/form/span-inputs.tsx";
import { endOfDay, localDay, startOfDay } from "#components/time/local-day.ts";
import { Button } from "#components/ui/button.tsx";
import type { Scenario } from "#lib/contract/scenarios";

/** First and last time of a span of whole days, as the API reads them; empty: the ends of the scenario. */
export type DaySpan = SpanTexts;

/** Selects the days of a scenario with times, in the time zone of the dataset. */
export function SpanFields({
  scenario: { firstTimestamp, lastTimestamp },
  span,
  onChange,
}: {
  scenario: Scenario;
  span: DaySpan;
  onChange(change: Partial<DaySpan>): void;
}) {
  const { timezone } = useCalendar();
  const dayOf = (time: string | null) => (time ? localDay(time, timezone) : "");
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-[13px] print:hidden">
      <SpanInputs
        kind="date"
        first={dayOf(firstTimestamp)}
        last={dayOf(lastTimestamp)}
        span={{ from: dayOf(span.from), to: dayOf(span.to) }}
        onChange={({ from, to }) =>
          onChange({
            ...(from !== undefined && { from: from && startOfDay(from, timezone) }),
            ...(to !== undefined && { to: to && endOfDay(to, timezone) }),
          })
        }
      />
      {(span.from || span.to) && (
        <Button size="sm" look="quiet" onClick={() => onChange({ from: "", to: "" })}>
          Whole scenario
        </Button>
      )}
    </div>
  );
}
