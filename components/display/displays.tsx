"use client";

import { createContext, type ReactNode, useContext, useMemo } from "react";
import { type SeriesCalendar, unknownCalendar } from "#components/time/period.ts";
import type { Project } from "#lib/contract/projects";
import { type Displays, displaysOf, proposedDisplays, Shown } from "./shown.ts";

const CalendarContext = createContext<SeriesCalendar>(unknownCalendar);
const DisplaysContext = createContext<Displays>(proposedDisplays);
const unknownTarget = new Shown("the target");
const TargetContext = createContext(unknownTarget);

/** Provides the displays of a project's columns, and its target as the column of predictions. */
export function DisplaysProvider({
  project,
  children,
}: {
  project: Pick<Project, "display" | "units" | "target" | "timezone" | "frequency"> | undefined;
  children: ReactNode;
}) {
  const displays = useMemo(() => (project ? displaysOf(project) : proposedDisplays), [project]);
  const target = project?.target;
  const { timezone = null, frequency = null } = project ?? {};
  const calendar = useMemo(() => ({ timezone, frequency }), [timezone, frequency]);
  return (
    <DisplaysContext value={displays}>
      <TargetContext value={typeof target === "string" ? displays(target) : unknownTarget}>
        <CalendarContext value={calendar}>{children}</CalendarContext>
      </TargetContext>
    </DisplaysContext>
  );
}

/** Sets the column that the charts inside predict, such as the target of an older model. */
export function TargetOf({ column, children }: { column: string; children: ReactNode }) {
  return <TargetContext value={useDisplays()(column)}>{children}</TargetContext>;
}

/** Returns how columns are shown, by their name. */
export const useDisplays = () => useContext(DisplaysContext);

/** Returns step and zone of the project's dataset, by which times are written. */
export const useCalendar = () => useContext(CalendarContext);

/** Returns how the predicted column is shown. */
export const useTarget = () => useContext(TargetContext);
