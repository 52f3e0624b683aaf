"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { queries } from "#components/api/queries.ts";
import { Field } from "#components/form/field.tsx";
import { Select } from "#components/ui/input.tsx";
import type { Scenario } from "#lib/contract/scenarios";

export function BaseScenarioField({
  projectId,
  base,
  error,
  onChange,
}: {
  projectId: string;
  base: Scenario | null;
  error: string | undefined;
  onChange(base: Scenario | null): void;
}) {
  const scenarios = useInfiniteQuery(queries.scenarios(projectId));
  const listed = scenarios.data?.filter(({ status }) => status === "Completed") ?? [];
  // The list has only the newest scenarios; the dialog also opens on older ones.
  const ready = base === null || listed.some(({ id }) => id === base.id) ? listed : [base, ...listed];
  return (
    <Field label="Start from" help="The steps below change its input, in order" error={error}>
      <Select
        value={base?.id ?? ""}
        onChange={(event) => onChange(ready.find(({ id }) => id === event.target.value) ?? null)}
        options={ready.map(({ id, title }) => [id, title])}
      >
        <option value="">Choose a scenario</option>
      </Select>
    </Field>
  );
}
