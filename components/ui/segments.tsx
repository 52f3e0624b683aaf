import { classNames } from "./class-names.ts";

/** Selects one of a few views, all of them visible. */
export function Segments<T extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: readonly (readonly [value: T, name: string])[];
  value: T;
  onChange(value: T): void;
}) {
  return (
    <fieldset className="flex min-w-0 flex-wrap rounded-md border border-line-strong p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map(([option, name]) => (
        <button
          key={option}
          type="button"
          aria-pressed={option === value}
          onClick={() => onChange(option)}
          className={classNames(
            "rounded-sm px-2.5 py-1 text-[13px] font-medium whitespace-nowrap",
            option === value ? "bg-accent-wash text-accent" : "text-ink-soft hover:text-ink",
          )}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}
