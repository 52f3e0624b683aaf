import type { UseFormReturn } from "react-hook-form";
import { Field } from "#components/form/field.tsx";
import { TextField } from "#components/form/text-field.tsx";
import { Select } from "#components/ui/input.tsx";
import { holidayCountries } from "#lib/contract/holiday-countries";
import type { TrainModel } from "#lib/contract/train-model";
import { choiceOrUnset } from "./train-settings.ts";

const names = new Intl.DisplayNames("en", { type: "region" });
const countries = holidayCountries
  .map((code) => ({ code, name: names.of(code) ?? code }))
  .sort((a, b) => a.name.localeCompare(b.name, "en"));

const regionOrUnset = (text: unknown) =>
  String(text ?? "")
    .trim()
    .toUpperCase() || undefined;

/** Selects the country and region whose public holidays become features. */
export function HolidayFields({ form }: { form: UseFormReturn<TrainModel> }) {
  const issues = form.formState.errors.features?.holidays;
  const country = form.watch("features.holidays.country");
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        label="Public holidays of"
        help="Adds holidays, and the days until and since"
        error={issues?.country?.message ?? issues?.message}
      >
        <Select
          {...form.register("features.holidays.country", { setValueAs: choiceOrUnset })}
          options={countries.map(({ code, name }) => [code, name])}
        >
          <option value="">no country</option>
        </Select>
      </Field>
      {country && (
        <TextField
          form={form}
          name="features.holidays.region"
          label="State or province"
          help="Code such as WA or BY. Leave empty for the whole country"
          optional
          maxLength={20}
          rules={{ setValueAs: regionOrUnset }}
        />
      )}
    </div>
  );
}
