"use client";

import { useQuery } from "@tanstack/react-query";
import { queries } from "#components/api/queries";
import { predictBody, startValues } from "#components/model/try-values";
import { Select } from "#components/ui/input";
import type { ExampleValues } from "./curl.tsx";

export type OwnExamples = { values: ExampleValues; bodies: Readonly<Record<string, unknown>> };
const none: OwnExamples = { values: {}, bodies: {} };

/** Ids and feature names of a project of the reader's own, for the examples. Empty id: shell variables stay. */
export function useOwnExamples(projectId: string): OwnExamples {
  const enabled = projectId !== "";
  const project = useQuery({ ...queries.project(projectId), enabled });
  const models = useQuery({ ...queries.models(projectId), enabled });
  if (!enabled) return none;
  const features = models.data?.find(({ isCurrent }) => isCurrent)?.inputFeatures;
  const checkpointId = project.data?.defaultCheckpointId;
  return {
    values: { projectId, ...(checkpointId && { checkpointId }) },
    bodies: { ...(features && { predict: predictBody(features, startValues(features, null), "") }) },
  };
}

export function OwnProjectSelect({ value, onChange }: { value: string; onChange(projectId: string): void }) {
  const projects = useQuery(queries.projects());
  if (!projects.data || projects.data.length === 0) return null;
  return (
    <Select
      aria-label="Examples for"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="text-[13px]"
    >
      <option value="">Examples with shell variables</option>
      {projects.data.map(({ id, name }) => (
        <option key={id} value={id}>
          Examples for {name}
        </option>
      ))}
    </Select>
  );
}
