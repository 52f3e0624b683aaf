import { Input } from "#components/ui/input.tsx";

/** A number as text, so that it can be empty. */
export function NumberField({
  label,
  value,
  placeholder,
  onChange,
}: {
  label: string;
  value: string;
  placeholder?: string;
  onChange(value: string): void;
}) {
  return (
    <Input
      type="number"
      step="any"
      aria-label={label}
      placeholder={placeholder}
      className="!w-28"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
