import type { CsvPreview } from "#components/csv/preview-csv.ts";
import { Field } from "#components/form/field.tsx";
import { Button } from "#components/ui/button.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import type { PutDataset } from "#lib/contract/dataset-requests";
import { stepWord } from "#lib/contract/duration-text";
import type { Choice, Shape } from "#lib/contract/reading";
import { formatText, type NumberFormat } from "#lib/engine/csv/number-format";
import { proposeReading } from "#lib/engine/csv/propose-reading";
import { resamplingSteps } from "#lib/engine/features/resample";
import { TimeFormatField } from "./time-format-field.tsx";

/** Options with which a dataset's file is read, besides the roles of its columns. */
export type ReadingOptions = {
  missing: string[];
  numberFormats: NumberFormat[];
  timezone: string;
  dateOrder: NonNullable<PutDataset["dateOrder"]> | null;
  timestampFormat: NonNullable<PutDataset["timestampFormat"]> | null;
  columnFormats: NonNullable<PutDataset["columnFormats"]>;
  skipRows: number[];
  headerRow: number | null;
  encoding: string | null;
  sheet: string | null;
  shape: Shape | null;
  calendar: NonNullable<PutDataset["calendar"]> | null;
  resample: NonNullable<PutDataset["resample"]> | null;
};

export const plainReading: ReadingOptions = {
  missing: [],
  numberFormats: [],
  timezone: "UTC",
  dateOrder: null,
  timestampFormat: null,
  columnFormats: {},
  skipRows: [],
  headerRow: null,
  encoding: null,
  sheet: null,
  shape: null,
  calendar: null,
  resample: null,
};

type Part = { options: ReadingOptions; onChange(options: ReadingOptions): void; preview: CsvPreview };

/** Offers the options that the preview finds useful, and shows those that are set. */
export function ReadingFields({ times, ...part }: Part & { times: readonly string[] }) {
  const { options, onChange } = part;
  return (
    <div className="space-y-4">
      <NumberFormats {...part} />
      <MissingTexts {...part} />
      <DateOrderField {...part} />
      <ChosenFormats {...part} />
      {times.length > 0 && (
        <>
          <TimeFormatField
            value={options.timestampFormat}
            isJoined={times.length > 1}
            onChange={(timestampFormat) => onChange({ ...options, timestampFormat })}
          />
          <SeriesFields {...part} />
        </>
      )}
    </div>
  );
}

function NumberFormats({ options, onChange, preview }: Part) {
  const { numberFormats: formats } = proposeReading(preview.columns, options);
  if (formats.length + options.numberFormats.length === 0) return null;
  const change = (numberFormats: NumberFormat[]) => onChange({ ...options, numberFormats });
  return (
    <fieldset>
      <legend className="mb-1.5 text-[13px] font-medium">Number formats</legend>
      <ul className="divide-y rounded-md border text-[13px]">
        {options.numberFormats.map((format) => (
          <FormatRow key={format.column} format={format}>
            <Button
              size="sm"
              onClick={() => change(options.numberFormats.filter(({ column }) => column !== format.column))}
            >
              Remove
            </Button>
          </FormatRow>
        ))}
        {formats.map((format) => (
          <FormatRow key={format.column} format={format}>
            <Button size="sm" onClick={() => change([...options.numberFormats, format])}>
              Read as numbers
            </Button>
          </FormatRow>
        ))}
      </ul>
    </fieldset>
  );
}

function FormatRow({ format, children }: { format: NumberFormat; children: React.ReactNode }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-1.5">
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        {format.column} <span className="block text-xs text-ink-faint">{formatText(format)}</span>
      </span>
      {children}
    </li>
  );
}

function MissingTexts({ options, onChange, preview }: Part) {
  const missingInFile = [...new Set(preview.columns.flatMap(({ missingTexts = [] }) => missingTexts))];
  const proposed = missingInFile.filter((text) => !options.missing.includes(text));
  const change = (missing: string[]) => onChange({ ...options, missing });
  const written = options.missing.join(", ");
  return (
    <Field
      label="Texts for missing values"
      optional
      help="Separated by commas, such as “NA, ?”. Empty cells are always missing"
    >
      <div className="space-y-2">
        <Input
          key={written}
          defaultValue={written}
          onBlur={(event) => {
            const texts = event.target.value.split(",").map((text) => text.trim());
            const named = [...new Set(texts.filter((text) => text !== ""))];
            if (named.join(", ") !== written) change(named);
          }}
        />
        {proposed.length > 0 && (
          <Button size="sm" onClick={() => change([...options.missing, ...proposed])}>
            {`Read ${proposed.join(", ")} as missing`}
          </Button>
        )}
      </div>
    </Field>
  );
}

/** Matches a date with the year last, which can be ambiguous. */
const YEAR_LAST = /^\d{1,2}[/.-]\d{1,2}[/.-]\d{4}/;

function DateOrderField({ options, onChange, preview }: Part) {
  const ambiguous = preview.issues.find(
    ({ code, value }) => code === "ambiguous_date" && YEAR_LAST.test(value ?? ""),
  );
  if (ambiguous === undefined && options.dateOrder === null) return null;
  return (
    <Field label="Order of day and month" help={ambiguous && `${ambiguous.value} can be read both ways`}>
      <Select
        value={options.dateOrder ?? ""}
        onChange={({ target: { value } }) =>
          onChange({ ...options, dateOrder: value === "" ? null : (value as ReadingOptions["dateOrder"]) })
        }
      >
        <option value="">As the rows show</option>
        <option value="day-first">Day first: 1/2 is 1 February</option>
        <option value="month-first">Month first: 1/2 is 2 January</option>
      </Select>
    </Field>
  );
}

/** Shows the formats that were chosen where several fit, to remove them. */
function ChosenFormats({ options, onChange }: Omit<Part, "preview">) {
  const { timestampFormat, columnFormats, skipRows, headerRow, encoding, shape } = options;
  const without = (name: string) =>
    Object.fromEntries(Object.entries(columnFormats).filter(([column]) => column !== name));
  const all: [name: string, format: string | null, after: Partial<ReadingOptions>][] = [
    ["Header", headerRow === null ? null : `line ${headerRow}`, { headerRow: null }],
    ["Encoding", encoding, { encoding: null }],
    [
      "Columns turned into rows",
      shape === null ? null : `${shape.times[0]} to ${shape.times.at(-1)}`,
      { shape: null, columnFormats: {}, timestampFormat: null },
    ],
    ["Timestamp", timestampFormat, { timestampFormat: null }],
    ["Rows left out", skipRows.length === 0 ? null : skipRows.join(", "), { skipRows: [] }],
  ];
  for (const [name, format] of Object.entries(columnFormats))
    all.push([name, format, { columnFormats: without(name) }]);
  const chosen = all.flatMap(([name, format, after]) => (format === null ? [] : [{ name, format, after }]));
  if (chosen.length === 0) return null;
  return (
    <fieldset>
      <legend className="mb-1.5 text-[13px] font-medium">Chosen reading</legend>
      <ul className="divide-y rounded-md border text-[13px]">
        {chosen.map(({ name, format, after }) => (
          <li key={name} className="flex items-center gap-3 px-3 py-1.5">
            <span className="min-w-0 flex-1 truncate">
              {name}: {format}
            </span>
            <Button
              size="sm"
              aria-label={`Undo ${name}: ${format}`}
              onClick={() => onChange({ ...options, ...after })}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

/** Returns the options with those of a choice. Lists and records are added to. */
export function withChoice(options: ReadingOptions, choice: Choice["options"]): ReadingOptions {
  const added = Object.entries(choice).map(([key, value]) => {
    const before = options[key as keyof ReadingOptions];
    if (Array.isArray(before)) return [key, [...before, ...(value as never[])]];
    const isRecord = key === "columnFormats";
    return [key, isRecord ? { ...(before as object), ...(value as object) } : value];
  });
  const { timestamp: _, target: __, exclude: ___, series: ____, ...changed } = Object.fromEntries(added);
  return { ...options, ...changed };
}

function SeriesFields({ options, onChange, preview }: Part) {
  const { proposedStep, rowsAfterJoining, rowCount } = preview;
  const { resample, calendar } = options;
  const isDaily = preview.frequency === "P1D" || preview.frequency === "P1B" || calendar !== null;
  const offersSteps = resample !== null || proposedStep !== null;
  const steps = [...new Set([...resamplingSteps, resample?.frequency ?? "PT1H"])];
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {offersSteps && (
        <Field
          label="Join rows at irregular times"
          help={
            rowsAfterJoining === null
              ? "The times have no regular step, or rows share a time"
              : `${rowCount.toLocaleString("en")} rows become ${rowsAfterJoining.toLocaleString("en")}, shown above`
          }
        >
          <Select
            value={resample?.frequency ?? ""}
            onChange={({ target: { value } }) =>
              onChange({
                ...options,
                resample:
                  value === "" ? null : { frequency: value, statistic: resample?.statistic ?? "mean" },
              })
            }
            options={steps.map((step) => [
              step,
              `One row per ${stepWord(step)}${step === proposedStep ? " (nearest)" : ""}`,
            ])}
          >
            <option value="">Keep every row</option>
          </Select>
        </Field>
      )}
      {resample !== null && (
        <Field label="Target of each step" help="Other numbers: the mean, or the last value if chosen here">
          <Select
            value={resample.statistic}
            onChange={({ target: { value } }) =>
              onChange({
                ...options,
                resample: { ...resample, statistic: value as typeof resample.statistic },
              })
            }
          >
            <option value="sum">Sum</option>
            <option value="mean">Mean</option>
            <option value="last">Last value</option>
          </Select>
        </Field>
      )}
      {isDaily && (
        <Field label="Days" help="Forecasts have rows on these days only">
          <Select
            value={calendar ?? ""}
            onChange={({ target: { value } }) =>
              onChange({ ...options, calendar: value === "" ? null : (value as typeof calendar) })
            }
          >
            <option value="">As the rows show</option>
            <option value="business">Monday to Friday</option>
            <option value="all-days">Every day</option>
          </Select>
        </Field>
      )}
    </div>
  );
}
