import { useState } from "react";
import { ColumnSelect } from "#components/csv/column-select.tsx";
import { Field } from "#components/form/field.tsx";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { counted } from "#lib/contract/counted";
import type { CsvColumn } from "#lib/engine/csv/options";
import { type Roles, withTimestamp } from "./roles.ts";

/** Number of columns added per click. */
const shownAtOnce = 100;

/** Selects the timestamp columns, the excluded columns and the columns read as categories. */
export function ColumnRoles({
  header,
  columns,
  roles,
  onChange,
}: {
  header: readonly string[];
  columns: readonly CsvColumn[];
  roles: Roles;
  onChange(roles: Roles): void;
}) {
  const [date = "", hour = ""] = roles.timestamp;
  const setTimestamp = (...names: string[]) => onChange(withTimestamp(roles, names));
  const toggle = (list: "exclude" | "categories", name: string) =>
    onChange({
      ...roles,
      [list]: roles[list].includes(name)
        ? roles[list].filter((other) => other !== name)
        : [...roles[list], name],
    });
  const listed = header.filter((name) => name !== roles.target && name !== date);
  const [shown, setShown] = useState(shownAtOnce);
  const typeOf = new Map(columns.map(({ name, type }) => [name, type]));
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Timestamp" optional help="Leave empty if the rows have no time order">
          <ColumnSelect names={header} value={date} none="None" onChange={(name) => setTimestamp(name)} />
        </Field>
        <Field label="Hour or time of day" optional help="Only if a separate column holds the time">
          <ColumnSelect
            names={header.filter((name) => name !== date)}
            value={hour}
            none="None"
            disabled={date === ""}
            onChange={(name) => setTimestamp(date, name)}
          />
        </Field>
      </div>
      <fieldset>
        <legend className="mb-1.5 text-[13px] font-medium">Columns</legend>
        <ul className="max-h-72 divide-y overflow-y-auto rounded-md border">
          {listed.slice(0, shown).map((name) => {
            const excluded = roles.exclude.includes(name);
            return (
              <li key={name} className="flex items-center gap-4 px-3 py-1.5 text-[13px]">
                <span
                  title={name}
                  className={excluded ? "flex-1 truncate text-ink-faint line-through" : "flex-1 truncate"}
                >
                  {name} <span className="text-xs text-ink-faint">{typeOf.get(name)}</span>
                </span>
                <Checkbox
                  disabled={excluded || name === hour}
                  checked={roles.categories.includes(name)}
                  onChange={() => toggle("categories", name)}
                  aria-label={`Read ${name} as category`}
                >
                  category
                </Checkbox>
                <Checkbox
                  disabled={name === hour}
                  checked={excluded}
                  onChange={() => toggle("exclude", name)}
                  aria-label={`Exclude ${name}`}
                >
                  exclude
                </Checkbox>
              </li>
            );
          })}
        </ul>
        {listed.length > shown && (
          <Button size="sm" className="mt-2" onClick={() => setShown(shown + shownAtOnce)}>
            {`Show more of ${counted(listed.length, "column")}`}
          </Button>
        )}
      </fieldset>
    </>
  );
}
