import { useDisplays } from "#components/display/displays.tsx";
import { Field } from "#components/form/field.tsx";
import { sliderStep, sliderText } from "#components/form/try-values.ts";
import { Input, Select } from "#components/ui/input.tsx";
import type { InputFeature } from "#lib/contract/models";
import { featureRange } from "./feature-table.tsx";

/** Number of categories above which a text field with suggestions replaces the list. */
const selectMax = 60;

/**
 * Input for a feature's value: a list for categories, a date for times, a number with a slider over the known range.
 */
export function TryField({
  feature,
  value,
  valueOfDate,
  error,
  onChange,
}: {
  feature: InputFeature;
  value: string;
  /** Value that follows from the date; undefined for other features. */
  valueOfDate: string | undefined;
  error: string | undefined;
  onChange(value: string): void;
}) {
  const { title } = useDisplays()(feature.name);
  const { type, min, max, categories } = feature;
  const range =
    type === "number" && min !== null && max !== null && max > min
      ? { min, max, step: sliderStep(min, max, feature.median) }
      : null;
  const shared = {
    value,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  let control = (
    <Input
      {...shared}
      inputMode={type === "number" ? "decimal" : "text"}
      suggestions={categories ?? undefined}
      className="figures"
    />
  );
  if (type === "boolean") {
    control = (
      <Select {...shared}>
        <option>true</option>
        <option>false</option>
      </Select>
    );
  } else if (categories && categories.length <= selectMax) {
    control = <Select {...shared} options={categories.map((category) => [category, category])} />;
  } else if (type === "timestamp") control = <Input {...shared} type="datetime-local" />;
  return (
    <div className={type === "timestamp" ? "col-span-2 min-w-0 sm:col-span-1" : "min-w-0"}>
      <Field
        label={title}
        error={error}
        help={
          type === "timestamp"
            ? "UTC"
            : feature.role === "upstream"
              ? "Prediction of an upstream project"
              : dateHelp(value, valueOfDate)
        }
      >
        {control}
        {range && (
          <input
            type="range"
            aria-label={`${title}, ${featureRange(feature)}`}
            {...range}
            value={Number.isFinite(Number(value)) ? Number(value) : range.min}
            onChange={(event) => onChange(sliderText(Number(event.target.value), range))}
            className="mt-2 h-1 w-full accent-accent"
          />
        )}
      </Field>
    </div>
  );
}

function dateHelp(value: string, valueOfDate: string | undefined): string | undefined {
  if (valueOfDate === undefined) return undefined;
  return value === valueOfDate ? "Follows the date" : `Differs from the date: ${valueOfDate}`;
}
