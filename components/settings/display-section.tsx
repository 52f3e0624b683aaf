"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { UseFormRegister } from "react-hook-form";
import { z } from "zod";
import { api, keys } from "#components/api/client.ts";
import { queries } from "#components/api/queries.ts";
import { ownOf } from "#components/display/shown.ts";
import { EditConflict } from "#components/edit/edit-conflict.tsx";
import { useEditForm } from "#components/edit/use-edit-form.ts";
import { FormError } from "#components/form/server-errors.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { Input } from "#components/ui/input.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import { Table, Td, Th } from "#components/ui/table.tsx";
import { counted } from "#lib/contract/counted";
import type { Display } from "#lib/contract/display";
import { limits } from "#lib/contract/limits";
import type { Project, UpdateProject } from "#lib/contract/projects";
import { proposeDisplay } from "#lib/contract/propose-display";

import { useNewerValues } from "./use-newer-values.ts";

/** Rows added per click. */
const shownAtOnce = 20;

/** A form addresses its fields by position, because the name of a column may contain dots. */
const Columns = z.object({
  columns: z.array(
    z.object({
      column: z.string(),
      displayName: z.string().max(limits.displayNameMax),
      unit: z.string().max(limits.unitMax),
      decimals: z.string().regex(/^\d?$|^10$/, `Use a whole number from 0 to ${limits.decimalsMax}`),
    }),
  ),
});
type Columns = z.infer<typeof Columns>;

/** Text that sets no unit, even if the name of the column proposes one. */
const NO_UNIT = "–";

const fieldNames = ["displayName", "unit", "decimals"] as const;
const fieldTitles = { displayName: "Display name", unit: "Unit", decimals: "Decimals" };

const valuesOf = (names: readonly string[], display: Display): Columns => ({
  columns: names.map((column) => {
    const { displayName, unit, decimals } = ownOf(display, column) ?? {};
    return {
      column,
      displayName: displayName ?? "",
      unit: unit === "" ? NO_UNIT : (unit ?? ""),
      decimals: decimals === null || decimals === undefined ? "" : String(decimals),
    };
  }),
});

/** Returns the display to send, without the columns that set nothing. */
const displayOf = ({ columns }: Columns): NonNullable<UpdateProject["display"]> =>
  Object.fromEntries(
    columns.flatMap(({ column, displayName, unit, decimals }) => {
      const fields = {
        ...(displayName.trim() && { displayName: displayName.trim() }),
        ...(unit.trim() && { unit: [NO_UNIT, "-"].includes(unit.trim()) ? "" : unit.trim() }),
        ...(decimals !== "" && { decimals: Number(decimals) }),
      };
      return Object.keys(fields).length > 0 ? [[column, fields]] : [];
    }),
  );

/** Sets how the dashboard shows the target and the other columns. */
export function DisplaySection({ project, isAdmin }: { project: Project; isAdmin: boolean }) {
  const dataset = useQuery({ ...queries.dataset(project.id), enabled: project.hasDataset });
  const names = useMemo(() => {
    const { target, display, dependencies } = project;
    const columns = dataset.data?.columns.map(({ name }) => name) ?? [];
    const upstream = dependencies.map(({ featureName }) => featureName);
    const shown = [...columns, ...upstream, ...Object.keys(display)];
    return [...new Set(target === null ? shown : [target, ...shown])];
  }, [project, dataset.data]);
  // A failed refetch leaves the entries in place.
  const error = dataset.data === undefined ? dataset.error : null;
  return (
    <Card>
      <CardHeader
        title="Display of columns"
        description="Names, units and decimals on this dashboard. CSV files and the API keep the columns' own names."
      />
      {dataset.isLoading && <SkeletonRows rows={4} />}
      {error && <ErrorState error={error} onRetry={dataset.refetch} />}
      {!dataset.isLoading && !error && names.length === 0 && (
        <p className="px-5 pb-5 text-[13px] text-ink-faint">No columns yet. Upload a dataset first.</p>
      )}
      {!dataset.isLoading && !error && names.length > 0 && (
        <DisplayForm key={JSON.stringify(names)} {...{ project, names, isAdmin }} />
      )}
    </Card>
  );
}

function DisplayForm({
  project: { id, display, units },
  names,
  isAdmin,
}: {
  project: Project;
  names: readonly string[];
  isAdmin: boolean;
}) {
  const client = useQueryClient();
  const [shown, setShown] = useState(shownAtOnce);
  const path = `/projects/${id}` as const;
  const read = ({ display: stored }: Pick<Project, "display">) => valuesOf(names, stored);
  const { form, submit, conflict } = useEditForm(
    Columns,
    read({ display }),
    {
      path,
      read,
      fields: names.flatMap((name, at) =>
        fieldNames.map((field) => ({
          path: `columns.${at}.${field}`,
          label: `${fieldTitles[field]} of ${name}`,
        })),
      ),
      send: ({ values }, etag) => api.patch(path, { display: displayOf(values) }, etag),
    },
    {
      refresh: (saved) => {
        form.reset(saved);
        return client.invalidateQueries({ queryKey: keys.project(id) });
      },
      message: () => "Saved.",
    },
  );
  const { errors, isSubmitting, isDirty } = form.formState;
  useNewerValues(form, read({ display }));
  return (
    <form onSubmit={submit} noValidate>
      <div className="px-5 empty:hidden">
        <FormError message={errors.root?.message} />
        <EditConflict conflict={conflict} />
      </div>
      <Table>
        <thead>
          <tr>
            <Th>Column</Th>
            <Th>Display name</Th>
            <Th>Unit</Th>
            <Th>Decimals</Th>
          </tr>
        </thead>
        <tbody>
          {names.slice(0, shown).map((name, at) => (
            <DisplayRow
              key={name}
              {...{ name, at, isAdmin }}
              proposed={proposeDisplay(name, ownOf(units, name))}
              register={form.register}
              errors={fieldNames.flatMap((field) => errors.columns?.[at]?.[field]?.message ?? [])}
            />
          ))}
        </tbody>
      </Table>
      <div className="flex flex-wrap items-center justify-between gap-3 px-5 pt-3 pb-5">
        <p className="text-xs text-ink-faint">
          {isAdmin && `Empty fields use the proposed values. Enter ${NO_UNIT} for no unit.`}
          {names.length > shown && (
            <Button size="sm" className="ml-3" onClick={() => setShown(shown + shownAtOnce)}>
              {`Show more of ${counted(names.length, "column")}`}
            </Button>
          )}
        </p>
        {isAdmin && (
          <Button type="submit" className="ml-auto" busy={isSubmitting} disabled={!isDirty}>
            Save
          </Button>
        )}
      </div>
    </form>
  );
}

function DisplayRow({
  name,
  at,
  isAdmin,
  proposed,
  register,
  errors,
}: {
  name: string;
  at: number;
  isAdmin: boolean;
  proposed: { displayName: string; unit: string | null };
  register: UseFormRegister<Columns>;
  errors: readonly string[];
}) {
  const isInvalid = errors.length > 0;
  const inputs = [
    ["displayName", "min-w-40", proposed.displayName],
    ["unit", "min-w-20", proposed.unit ?? "none"],
    ["decimals", "min-w-16", "auto"],
  ] as const;
  return (
    <tr>
      <Td>
        <span className="block max-w-48 truncate font-mono text-xs" title={name}>
          {name}
        </span>
        {isInvalid && (
          <span role="alert" className="text-xs text-bad">
            {errors.join(" ")}
          </span>
        )}
      </Td>
      {inputs.map(([field, className, placeholder]) => (
        <Td key={field}>
          <Input
            className={className}
            aria-label={`${fieldTitles[field]} of ${name}`}
            placeholder={placeholder}
            inputMode={field === "decimals" ? "numeric" : undefined}
            disabled={!isAdmin}
            aria-invalid={isInvalid}
            {...register(`columns.${at}.${field}`)}
          />
        </Td>
      ))}
    </tr>
  );
}
