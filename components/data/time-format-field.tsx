import { Field } from "#components/form/field.tsx";
import { Select } from "#components/ui/input.tsx";
import { TIME_FORMATS, type TimeFormatName } from "#lib/contract/reading";
import { timeFormat } from "#lib/engine/csv/time-formats";

/** Chooses how the cells of the timestamp are read, such as numbers that count from 1970. */
export function TimeFormatField({
  value,
  isJoined,
  onChange,
}: {
  value: TimeFormatName | null;
  /** Whether several columns hold the parts of the times. */
  isJoined: boolean;
  onChange(value: TimeFormatName | null): void;
}) {
  const offered = TIME_FORMATS.filter((name) => isJoined || !name.includes("+"));
  return (
    <Field label="Format of the times" optional help="Choose one if the cells are read wrongly or refused">
      <Select
        value={value ?? ""}
        onChange={({ target }) => onChange(target.value === "" ? null : (target.value as TimeFormatName))}
        options={offered.map((name) => [name, `${name}, such as ${timeFormat(name).example}`])}
      >
        <option value="">As the cells show</option>
      </Select>
    </Field>
  );
}
