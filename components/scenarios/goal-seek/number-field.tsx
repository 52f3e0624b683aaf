import { useId } from "react";
import { Input } from "#components/ui/input.tsx";

/** A number as text, so that it can be empty. */
export function NumberField({
  label,
  value,
  placeholder,
  error,
  onChange,
}: {
  label: string;
  value: string;
  placeholder?: string;
  error?: string | undefined;
  onChange(value: string): void;
}) {
  const noteId = useId();
  return (
    <span>
      <Input
        type="number"
        step="any"
        aria-label={label}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : noteId}
        placeholder={placeholder}
        className="!w-28"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {error !== undefined && (
        <span id={noteId} className="mt-1 block w-28 text-xs text-bad">
          {error}
        </span>
      )}
    </span>
  );
}
