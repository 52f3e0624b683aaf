import { Field } from "#components/form/field.tsx";
import { Select } from "#components/ui/input.tsx";

/** Offers the sheets of a workbook. */
export function SheetField({
  sheet,
  onChange,
}: {
  sheet: { name: string; sheets: string[] } | null;
  onChange(sheet: string): void;
}) {
  if (sheet === null || sheet.sheets.length < 2) return null;
  return (
    <Field label="Sheet">
      <Select
        value={sheet.name}
        onChange={({ target: { value } }) => onChange(value)}
        options={sheet.sheets.map((name) => [name, name])}
      />
    </Field>
  );
}
