import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { useDisplays } from "#components/display/displays.tsx";
import { Button } from "#components/ui/button.tsx";
import { formatSigned } from "#components/ui/format.ts";
import { Input, Select } from "#components/ui/input.tsx";
import type { InputFeature } from "#lib/contract/models";
import type { Adjustment } from "#lib/contract/scenarios";
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

/** Changes one input: a slider and a field for numbers, a list of values otherwise. */
export function InputRow(props: RowProps) {
  const { feature, change, onChange, onSettle } = props;
  const { name, title } = useDisplays()(feature.name);
  return (
    <fieldset className="min-w-0 border-t py-3 first:border-t-0">
      <legend className="sr-only">{name}</legend>
      <div className="mb-1.5 flex h-8 items-center justify-between gap-2">
        <span dir="auto" className="min-w-0 truncate text-[13px]" title={feature.name}>
          {title}
        </span>
        {change && (
          <Button
            look="quiet"
            size="icon"
            aria-label={`Reset ${name}`}
            onClick={() => {
              onChange(null, `${feature.name} reset`);
              onSettle();
            }}
          >
            <RotateCcw className="size-3.5" />
          </Button>
        )}
      </div>
      {feature.type === "number" ? <NumberChange {...props} /> : <ValueChoice {...props} />}
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

/** Sets a boolean or a category; the first option leaves the values as they are. */
function ValueChoice({ feature, change, onChange, onSettle }: RowProps) {
  const { type, categories } = feature;
  const { name } = useDisplays()(feature.name);
  const values = type === "boolean" ? ["true", "false"] : (categories ?? []);
  return (
    <Select
      aria-label={`Value for ${name}`}
      className="text-[13px]"
      // Categories may be empty texts, so options are positions.
      value={change ? values.indexOf(String(change.value)) : -1}
      onChange={({ target }) => {
        const chosen = values[Number(target.value)];
        const value = type === "boolean" ? chosen === "true" : chosen;
        onChange(value === undefined ? null : { operation: "set", value }, `${feature.name} value`);
        onSettle();
      }}
      options={values.map((value, at) => [at, `Set to ${value}`])}
    >
      <option value={-1}>Unchanged</option>
    </Select>
  );
}
