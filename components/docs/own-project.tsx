"use client";

import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { queries } from "#components/api/queries.ts";
import { predictBody, requestedFeatures, startValues } from "#components/form/try-values.ts";
import { Select } from "#components/ui/input.tsx";
import type { InputFeature } from "#lib/contract/models";
import type { ExampleValues } from "./curl.ts";

const exampleOf = (features: readonly InputFeature[]) =>
  predictBody(features, startValues(features, null), "");

type OwnExamples = { values: ExampleValues; bodies: Readonly<Record<string, unknown>> };
const none: OwnExamples = { values: {}, bodies: {} };

/**
 * IDs and feature names of one of the reader's projects, for the examples. With an empty ID, examples use shell
 * variables.
 */
export function useOwnExamples(projectId: string): OwnExamples {
  const enabled = projectId !== "";
  const project = useQuery({ ...queries.project(projectId), enabled });
  const models = useQuery({ ...queries.models(projectId), enabled });
  if (!enabled) return none;
  const features = models.data?.find(({ isCurrent }) => isCurrent)?.inputFeatures;
  const checkpointId = project.data?.defaultCheckpointId;
  return {
    values: { projectId, ...(checkpointId && { checkpointId }) },
    bodies: { ...(features && { predict: exampleOf(requestedFeatures(features)) }) },
  };
}

export function OwnProjectSelect({ value, onChange }: { value: string; onChange(projectId: string): void }) {
  const projects = useQuery(queries.projects());
  const id = useId();
  if (!projects.data || projects.data.length === 0) return null;
  return (
    <div>
      <label htmlFor={id} className="text-xs text-ink-faint">
        Examples for
      </label>
      <Select
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="mt-1 text-[13px]"
        options={projects.data.map(({ id, name }) => [id, name])}
      >
        <option value="">any project</option>
      </Select>
    </div>
  );
}
