"use client";

import { type ComponentProps, useState } from "react";
import { Input, Select } from "#components/ui/input.tsx";

/** Number of columns above which the name is typed: a list of ten thousand is slow and unusable. */
const listed = 200;
const suggested = 50;

/** Selects one of a file's columns from a list, or by typing for very many columns; empty for none. */
export function ColumnSelect({
  names,
  value,
  none,
  onChange,
  ...control
}: {
  names: readonly string[];
  value: string;
  /** Label of the empty choice. */
  none: string;
  onChange(name: string): void;
} & Omit<ComponentProps<"select"> & ComponentProps<"input">, "value" | "onChange" | "ref">) {
  if (names.length > listed)
    return <ColumnInput {...{ names, value, onChange, ...control }} placeholder={none} />;
  return (
    <Select
      {...control}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      options={names.map((name) => [name, name])}
    >
      <option value="">{none}</option>
    </Select>
  );
}

function ColumnInput({
  names,
  value,
  onChange,
  ...control
}: {
  names: readonly string[];
  value: string;
  onChange(name: string): void;
} & Omit<ComponentProps<"input">, "value" | "onChange" | "ref">) {
  const [text, setText] = useState(value);
  // The value changed elsewhere: the column was reset or the file replaced.
  const [shownFor, setShownFor] = useState(value);
  if (shownFor !== value) {
    setShownFor(value);
    setText(value);
  }
  const typed = text.toLowerCase();
  return (
    <Input
      {...control}
      suggestions={names.filter((name) => name.toLowerCase().includes(typed)).slice(0, suggested)}
      value={text}
      // The field around it marks other errors.
      {...(text !== "" && text !== value && { "aria-invalid": true })}
      onChange={({ target }) => {
        setText(target.value);
        const chosen = names.includes(target.value) ? target.value : "";
        setShownFor(chosen);
        if (chosen !== value) onChange(chosen);
      }}
    />
  );
}
