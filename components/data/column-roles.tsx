import { useState } from "react";
import { ColumnSelect } from "#components/csv/column-select.tsx";
import { Field } from "#components/form/field.tsx";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { classNames } from "#components/ui/class-names.ts";
import { counted } from "#lib/contract/counted";
import { limits } from "#lib/contract/limits";
import type { CsvColumn } from "#lib/engine/csv/options";
import { type Roles, withTimestamp } from "./roles.ts";

/** Number of columns added per click. */
const shownAtOnce = 100;

/** Selects the timestamp columns, those that name series, the excluded ones and those read as categories. */
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
  const [date = "", ...parts] = roles.timestamp;
  const setTimestamp = (...names: string[]) => onChange(withTimestamp(roles, names));
  const toggle = (list: "exclude" | "categories" | "series", name: string) =>
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
        <Field label="Hour or time of day" optional help="Or the month, quarter or week of a column of years">
          <ColumnSelect
            names={header.filter((name) => name !== date)}
            value={parts[0] ?? ""}
            none="None"
            disabled={date === ""}
            onChange={(name) => setTimestamp(date, name, ...parts.slice(1))}
          />
        </Field>
        {/* A year may be followed by up to three parts. */}
        {[1, 2].map(
          (place) =>
            parts.length >= place && (
              <Field key={place} label={`Next part of the time (${place + 2})`} optional>
                <ColumnSelect
                  names={header.filter((name) => name !== date)}
                  value={parts[place] ?? ""}
                  none="None"
                  onChange={(name) =>
                    setTimestamp(date, ...parts.slice(0, place), name, ...parts.slice(place + 1))
                  }
                />
              </Field>
            ),
        )}
      </div>
      <fieldset>
        <legend className="mb-1.5 text-[13px] font-medium">Columns</legend>
        <ul className="max-h-72 divide-y overflow-y-auto rounded-md border">
          {listed.slice(0, shown).map((name) => {
            const excluded = roles.exclude.includes(name);
            const isSeries = roles.series.includes(name);
            return (
              <li key={name} className="flex items-center gap-4 px-3 py-1.5 text-[13px]">
                <span
                  title={name}
                  className={classNames("min-w-0 flex-1 truncate", excluded && "text-ink-faint line-through")}
                >
                  {name} <span className="text-xs text-ink-faint">{typeOf.get(name)}</span>
                </span>
                {date !== "" && (
                  <Checkbox
                    disabled={
                      excluded ||
                      parts.includes(name) ||
                      (!isSeries && roles.series.length >= limits.seriesColumns)
                    }
                    checked={isSeries}
                    onChange={() => toggle("series", name)}
                    aria-label={`${name} names the series`}
                  >
                    series
                  </Checkbox>
                )}
                <Checkbox
                  disabled={excluded || isSeries || parts.includes(name)}
                  checked={roles.categories.includes(name) || isSeries}
                  onChange={() => toggle("categories", name)}
                  aria-label={`Read ${name} as category`}
                >
                  category
                </Checkbox>
                <Checkbox
                  disabled={isSeries || parts.includes(name)}
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
