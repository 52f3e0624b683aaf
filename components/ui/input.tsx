import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

const field =
  "w-full rounded-md border border-line-strong bg-surface px-3 text-ink shadow-soft placeholder:text-ink-faint aria-invalid:border-bad disabled:bg-sunken disabled:text-ink-faint";

export function Input({ className, ...props }: ComponentProps<"input">) {
  return <input {...props} className={classNames(field, "h-9", className)} />;
}

export function Textarea({ className, ...props }: ComponentProps<"textarea">) {
  return <textarea rows={3} {...props} className={classNames(field, "py-2", className)} />;
}

type SelectProps = ComponentProps<"select"> & {
  /** Follow the options given as children. */
  options?: readonly (readonly [value: string | number, name: string])[] | undefined;
};

/** Uses the native select, which works with every keyboard, screen reader and phone. */
export function Select({ className, children, options, ...props }: SelectProps) {
  return (
    <select {...props} className={classNames(field, "h-9 pr-2", className)}>
      {children}
      {options?.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
}
