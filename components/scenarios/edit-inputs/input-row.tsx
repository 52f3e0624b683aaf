import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { useDisplays } from "#components/display/displays.tsx";
import { choicesOf } from "#components/scenarios/choices.ts";
import { Button } from "#components/ui/button.tsx";
import { formatSigned } from "#components/ui/format.ts";
import { Input, Select } from "#components/ui/input.tsx";
import type { InputFeature } from "#lib/contract/models";
import type { Adjustment } from "#lib/contract/scenarios";
import { datePartText } from "#lib/engine/time/date-rule";
import { type Change, fromShown, sliderOf, startOf, toShown } from "./edits.ts";

type RowProps = {
  feature: InputFeature;
  /** Change of the feature over the chosen span; null without one. */
  change: Change | null;
  /** @param control name of the control that makes the change */
  onChange(change: Change | null, control: string): void;
  /** The control was released or left. */
  onSettle(): void;
};

/** Position of the list's entry that opens the fields of numbers. */
const OTHER = -2;

/** Changes one input: a list of values for codes, categories and dates, otherwise a slider and a field. */
export function InputRow(props: RowProps) {
  const { feature, change, onChange, onSettle } = props;
  const { name, title } = useDisplays()(feature.name);
  const choices = choicesOf(feature);
  const [isOther, setOther] = useState(false);
  const isListed =
    choices !== null &&
    (feature.type !== "number" ||
      (!isOther && (change === null || (change.operation === "set" && choices.includes(change.value)))));
  return (
    <fieldset className="min-w-0 border-t py-3 first:border-t-0">
      <legend className="sr-only">{name}</legend>
      <div className="mb-1.5 flex h-8 items-center justify-between gap-2">
        <span dir="auto" className="min-w-0 truncate text-[13px]" title={feature.name}>
          {title}
          {feature.dateRule && (
            <span className="ml-1.5 text-xs text-ink-faint">
              follows the date: {datePartText(feature.dateRule)}
            </span>
          )}
        </span>
        {change && (
          <Button
            look="quiet"
            size="icon"
            aria-label={`Reset ${name}`}
            onClick={() => {
              setOther(false);
              onChange(null, `${feature.name} reset`);
              onSettle();
            }}
          >
            <RotateCcw className="size-3.5" />
          </Button>
        )}
      </div>
      {isListed ? (
        <ValueChoice {...props} choices={choices} onOther={() => setOther(true)} />
      ) : (
        <NumberChange {...props} />
      )}
    </fieldset>
  );
}

function NumberChange({ feature, change, onChange, onSettle }: RowProps) {
  const [chosen, setChosen] = useState<Adjustment["operation"]>("multiply");
  const [typed, setTyped] = useState<string | null>(null);
  const operation = change?.operation ?? chosen;
  const shown = toShown(operation, Number(change?.value ?? startOf(operation, feature)));
  const { min, max, step } = sliderOf(operation, feature);
  const input = useDisplays()(feature.name);
  const { name } = input;
  const enter = (value: number, control: string) => {
    // A value without effect removes the change, which has the operation.
    setChosen(operation);
    onChange({ operation, value: fromShown(operation, value) }, `${feature.name} ${control}`);
  };
  const text =
    operation === "multiply"
      ? `${formatSigned(shown)} %`
      : input.withUnit(operation === "set" ? String(shown) : formatSigned(shown));
  // Keeps a number in the field while it is typed, such as "-" or "1.".
  const isTyping = typed !== null && (typed.trim() === "" || Number(typed) === shown);
  return (
    <div className="grid grid-cols-[6.5rem_minmax(0,1fr)_5.5rem] items-center gap-2">
      <Select
        aria-label={`Operation on ${name}`}
        className="!px-2 text-[13px]"
        value={operation}
        onChange={({ target }) => {
          const next = target.value as Adjustment["operation"];
          setChosen(next);
          onChange({ operation: next, value: startOf(next, feature) }, `${name} operation`);
          onSettle();
        }}
      >
        <option value="multiply">Per cent</option>
        <option value="add">Add</option>
        <option value="set">Set to</option>
      </Select>
      <input
        type="range"
        aria-label={`Change of ${name}`}
        aria-valuetext={text}
        className="h-8 w-full min-w-0 accent-accent"
        {...{ min, max, step }}
        value={shown}
        onChange={({ target }) => enter(target.valueAsNumber, "slider")}
        onPointerUp={onSettle}
        onBlur={onSettle}
      />
      <span className="relative">
        <Input
          type="number"
          step="any"
          aria-label={operation === "multiply" ? `Change of ${name} in per cent` : `Value for ${input.title}`}
          className={operation === "multiply" ? "!pr-6 !pl-2 text-right" : "!px-2 text-right"}
          value={isTyping ? typed : String(shown)}
          onChange={({ target }) => {
            setTyped(target.value);
            if (Number.isFinite(target.valueAsNumber)) enter(target.valueAsNumber, "field");
          }}
          onBlur={() => {
            setTyped(null);
            onSettle();
          }}
        />
        {operation === "multiply" && (
          <span
            aria-hidden="true"
            className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 text-xs text-ink-faint"
          >
            %
          </span>
        )}
      </span>
    </div>
  );
}

/** Sets one of the listed values; the first option leaves the values as they are. */
function ValueChoice({
  feature,
  change,
  onChange,
  onSettle,
  choices,
  onOther,
}: RowProps & { choices: readonly Adjustment["value"][]; onOther(): void }) {
  const { name, withUnit } = useDisplays()(feature.name);
  return (
    <Select
      aria-label={`Value for ${name}`}
      className="text-[13px]"
      // Categories may be empty texts, so options are positions.
      value={change ? choices.indexOf(change.value) : -1}
      onChange={({ target }) => {
        if (Number(target.value) === OTHER) return onOther();
        const value = choices[Number(target.value)];
        onChange(value === undefined ? null : { operation: "set", value }, `${feature.name} value`);
        onSettle();
      }}
      options={[
        ...choices.map(
          (value, at) =>
            [at, `Set to ${typeof value === "number" ? withUnit(String(value)) : value}`] as const,
        ),
        ...(feature.type === "number" ? [[OTHER, "Other change…"] as const] : []),
      ]}
    >
      <option value={-1}>Unchanged</option>
    </Select>
  );
}
