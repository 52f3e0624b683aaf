import { Field } from "#components/form/field";
import { Select } from "#components/ui/input";
import type { CsvColumn } from "#lib/csv/options";

export type Roles = { target: string; timestamp: string[]; exclude: string[]; categories: string[] };

/** When each row happened, and which columns are left out or read as categories. */
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
  const setTimestamp = (...names: string[]) =>
    onChange({ ...roles, timestamp: names.filter((name) => name !== "") });
  const toggle = (list: "exclude" | "categories", name: string) =>
    onChange({
      ...roles,
      [list]: roles[list].includes(name)
        ? roles[list].filter((other) => other !== name)
        : [...roles[list], name],
    });
  const typeOf = new Map(columns.map(({ name, type }) => [name, type]));
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Timestamp" optional help="Without one, rows are separate cases">
          {(control) => (
            <Select {...control} value={date} onChange={(event) => setTimestamp(event.target.value)}>
              <option value="">None</option>
              {header.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Hour or time of day" optional help="If it stands in a column of its own">
          {(control) => (
            <Select
              {...control}
              value={hour}
              disabled={date === ""}
              onChange={(event) => setTimestamp(date, event.target.value)}
            >
              <option value="">None</option>
              {header
                .filter((name) => name !== date)
                .map((name) => (
                  <option key={name}>{name}</option>
                ))}
            </Select>
          )}
        </Field>
      </div>
      <fieldset>
        <legend className="mb-1.5 text-[13px] font-medium">Columns</legend>
        <ul className="max-h-72 divide-y overflow-y-auto rounded-md border">
          {header
            .filter((name) => name !== roles.target && name !== date)
            .map((name) => {
              const excluded = roles.exclude.includes(name);
              return (
                <li key={name} className="flex items-center gap-4 px-3 py-1.5 text-[13px]">
                  <span
                    className={excluded ? "flex-1 truncate text-ink-faint line-through" : "flex-1 truncate"}
                  >
                    {name} <span className="text-xs text-ink-faint">{typeOf.get(name)}</span>
                  </span>
                  <label className="flex items-center gap-1.5">
                    <input
                      type="checkbox"
                      className="size-4 accent-accent"
                      disabled={excluded || name === hour}
                      checked={roles.categories.includes(name)}
                      onChange={() => toggle("categories", name)}
                      aria-label={`Read ${name} as category`}
                    />
                    category
                  </label>
                  <label className="flex items-center gap-1.5">
                    <input
                      type="checkbox"
                      className="size-4 accent-accent"
                      disabled={name === hour}
                      checked={excluded}
                      onChange={() => toggle("exclude", name)}
                      aria-label={`Leave out ${name}`}
                    />
                    leave out
                  </label>
                </li>
              );
            })}
        </ul>
      </fieldset>
    </>
  );
}
