import { type ComponentProps, createContext, use, useId } from "react";
import { classNames } from "./class-names.ts";
import { useEarlyEntry } from "./use-early-entry.ts";

/** Properties that a form's field gives to the control inside: its label refers to the ID. */
export const FieldControl = createContext<{
  id?: string;
  "aria-invalid"?: boolean;
  "aria-describedby"?: string | undefined;
}>({});

const field =
  "w-full rounded-md border border-line-strong bg-surface px-3 text-ink shadow-soft placeholder:text-ink-faint aria-invalid:border-bad disabled:bg-sunken disabled:text-ink-faint";

type InputProps = ComponentProps<"input"> & {
  /** Values to choose from while typing. Others are possible, too. */
  suggestions?: readonly string[] | undefined;
};

export function Input({ className, suggestions, ref, ...props }: InputProps) {
  const listId = useId();
  const input = {
    ...use(FieldControl),
    ...props,
    ref: useEarlyEntry(ref),
    className: classNames(field, "h-9", className),
  };
  if (!suggestions) return <input {...input} />;
  return (
    <>
      <input {...input} list={listId} />
      <datalist id={listId}>
        {suggestions.map((value) => (
          <option key={value} value={value} />
        ))}
      </datalist>
    </>
  );
}

export function Textarea({ className, ref, ...props }: ComponentProps<"textarea">) {
  return (
    <textarea
      rows={3}
      {...use(FieldControl)}
      {...props}
      ref={useEarlyEntry(ref)}
      className={classNames(field, "py-2", className)}
    />
  );
}

type SelectProps = ComponentProps<"select"> & {
  /** Follow the options given as children. */
  options?: readonly (readonly [value: string | number, name: string])[] | undefined;
};

/** Uses the native select, which works with every keyboard, screen reader and phone. */
export function Select({ className, children, options, ref, ...props }: SelectProps) {
  return (
    <select
      {...use(FieldControl)}
      {...props}
      ref={useEarlyEntry(ref)}
      className={classNames(field, "h-9 pr-2", className)}
    >
      {children}
      {options?.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
}
