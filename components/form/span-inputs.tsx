import { useId, useState } from "react";
import { classNames } from "#components/ui/class-names.ts";
import { Input } from "#components/ui/input.tsx";

/** First and last place of a span, as its fields write them; empty: the ends of the whole series. */
export type SpanTexts = { from: string; to: string };

type Kind = "date" | "number";

/** Fields for the first and the last day, or row, of a span. Dates are written as in a date field. */
export function SpanInputs({
  kind,
  first,
  last,
  span,
  onChange,
}: {
  kind: Kind;
  /** Ends of the whole series. */
  first: string;
  last: string;
  span: SpanTexts;
  onChange(change: Partial<SpanTexts>): void;
}) {
  const ends = [
    { end: "from", text: "From", value: span.from || first, min: first, max: span.to || last },
    { end: "to", text: "To", value: span.to || last, min: span.from || first, max: last },
  ] as const;
  return ends.map(({ end, text, ...field }) => (
    <EndInput
      key={end}
      {...field}
      kind={kind}
      text={kind === "number" ? `${text} row` : text}
      onValue={(value) => onChange({ [end]: value })}
    />
  ));
}

/** Field of one end. Keeps a text that is outside the series, as while a year is being typed, until the field is left. */
function EndInput({
  kind,
  text,
  value,
  min,
  max,
  onValue,
}: {
  kind: Kind;
  text: string;
  value: string;
  min: string;
  max: string;
  onValue(value: string): void;
}) {
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  return (
    <label htmlFor={id} className="flex items-center gap-2">
      <span>{text}</span>
      <Input
        id={id}
        type={kind}
        min={min}
        max={max}
        value={draft ?? value}
        onChange={(event) => {
          const next = event.target.value;
          const isTaken = next === "" ? kind === "date" : isWithin(kind, next, min, max);
          setDraft(isTaken ? null : next);
          if (isTaken) onValue(next);
        }}
        onBlur={() => setDraft(null)}
        className={classNames("!h-8 text-[13px]", kind === "date" ? "!w-auto" : "!w-28")}
      />
    </label>
  );
}

function isWithin(kind: Kind, value: string, min: string, max: string): boolean {
  if (kind === "date") return value >= min && value <= max;
  return Number.isInteger(Number(value)) && Number(value) >= Number(min) && Number(value) <= Number(max);
}
