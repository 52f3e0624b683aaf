"use client";

import { type ComponentProps, useId, useState } from "react";
import { Input, Select } from "#components/ui/input.tsx";

/** More columns than this are typed: a list of ten thousand is no help, and holds up the page. */
const listed = 200;
const suggested = 50;

/** One of a file's columns, chosen from a list, or typed where there are very many; empty for none. */
export function ColumnSelect({
  names,
  value,
  none,
  onChange,
  ...control
}: {
  names: readonly string[];
  value: string;
  /** What the choice of no column is called. */
  none: string;
  onChange(name: string): void;
} & Omit<ComponentProps<"select"> & ComponentProps<"input">, "value" | "onChange" | "ref">) {
  if (names.length > listed)
    return <ColumnInput {...{ names, value, onChange, ...control }} placeholder={none} />;
  return (
    <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{none}</option>
      {names.map((name) => (
        <option key={name}>{name}</option>
      ))}
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
  const listId = useId();
  const [text, setText] = useState(value);
  // Chosen elsewhere meanwhile: a column that is taken back, a file that is replaced.
  const [shownFor, setShownFor] = useState(value);
  if (shownFor !== value) {
    setShownFor(value);
    setText(value);
  }
  const typed = text.toLowerCase();
  const near = names.filter((name) => name.toLowerCase().includes(typed)).slice(0, suggested);
  return (
    <>
      <Input
        {...control}
        list={listId}
        value={text}
        aria-invalid={text !== "" && text !== value}
        onChange={({ target }) => {
          setText(target.value);
          const chosen = names.includes(target.value) ? target.value : "";
          setShownFor(chosen);
          if (chosen !== value) onChange(chosen);
        }}
      />
      <datalist id={listId}>
        {near.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
