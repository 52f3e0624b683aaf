"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { queries } from "#components/api/queries.ts";
import { useMay } from "#components/api/viewer.tsx";
import { useTarget } from "#components/display/displays.tsx";
import { JobProgress } from "#components/jobs/job-progress.tsx";
import { isActive, statusTones } from "#components/jobs/job-text.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { ColorDot } from "#components/ui/color-dot.tsx";
import { formatInteger } from "#components/ui/format.ts";
import { Link } from "#components/ui/link.tsx";
import { MenuItem, RowMenu } from "#components/ui/menu.tsx";
import { Td } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import type { Job } from "#lib/contract/jobs";
import type { Scenario } from "#lib/contract/scenarios";
import { sourceNames } from "./scenario-filter-bar.tsx";

const EditScenarioDialog = dynamic(() => import("./edit-scenario-dialog.tsx"), { ssr: false });

/** Class names of columns that a phone has no room for. The title's cell shows status and total there. */
export const wide = "max-sm:hidden";

const INDENT_PX = 22;
/** Deeper rows keep this indent, so that their titles stay readable. */
const DEPTH_MAX = 6;

export function ScenarioRow({
  scenario,
  depth,
  job,
  ticked,
  onTick,
  onAdjust,
  onDelete,
  onTag,
}: {
  scenario: Scenario;
  /** Level in the tree, 0 for a scenario without a listed base. */
  depth: number;
  job: Job | undefined;
  ticked: boolean;
  onTick(): void;
  onAdjust(): void;
  onDelete(): void;
  onTag(tag: string): void;
}) {
  const target = useTarget();
  const may = useMay();
  const [isEdited, setIsEdited] = useState(false);
  const done = scenario.status === "Completed";
  const path = `/projects/${scenario.projectId}/scenarios/${scenario.id}`;
  const state =
    job && isActive(job) ? (
      <JobProgress job={job} />
    ) : (
      <Badge tone={statusTones[scenario.status]}>{scenario.status}</Badge>
    );
  return (
    <tr className="figures">
      <Td>
        <Checkbox checked={ticked} onChange={onTick} aria-label={`Select ${scenario.title}`} />
      </Td>
      <Td
        className="max-w-0 max-sm:w-full sm:max-w-52 lg:max-w-64"
        {...(depth > 0 && { style: { paddingLeft: 16 + INDENT_PX * Math.min(depth, DEPTH_MAX) } })}
      >
        {depth > 0 && <span className="sr-only">{`Level ${depth + 1}: `}</span>}
        <Link href={path} className="flex items-center gap-2.5 rounded-sm font-medium hover:underline">
          <ColorDot color={scenario.color} />
          <span dir="auto" className="truncate" title={scenario.title}>
            {scenario.title}
          </span>
        </Link>
        {scenario.description && (
          <p dir="auto" className="truncate pl-5 text-xs text-ink-faint" title={scenario.description}>
            {scenario.description}
          </p>
        )}
        <div className="mt-1 space-y-1 pl-5 sm:hidden">
          {state}
          {done && <p className="text-xs text-ink-soft">Total {target.text(scenario.summary?.sum)}</p>}
        </div>
        {scenario.tags.length > 0 && (
          <ul aria-label={`Tags of ${scenario.title}`} className="mt-1 flex flex-wrap gap-1 pl-5">
            {scenario.tags.map((tag) => (
              <li key={tag} className="min-w-0">
                <button
                  type="button"
                  dir="auto"
                  title={`Show only scenarios with the tag ${tag}`}
                  className="block max-w-full truncate rounded-full bg-sunken px-2 py-1 text-xs text-ink-soft hover:text-ink"
                  onClick={() => onTag(tag)}
                >
                  {tag}
                </button>
              </li>
            ))}
          </ul>
        )}
      </Td>
      <Td className={`${wide} text-ink-soft`}>{sourceNames[scenario.source]}</Td>
      <Td
        className={`${wide} max-w-44 text-ink-soft xl:max-w-56`}
        title={scenario.checkpointLabel ?? undefined}
      >
        <bdi
          className="line-clamp-2 min-w-36 [overflow-wrap:anywhere]"
          title={scenario.checkpointLabel ?? undefined}
        >
          {scenario.checkpointLabel}
        </bdi>
      </Td>
      <Td className={wide}>{state}</Td>
      <Td className={wide}>
        {done && <Sparkline projectId={scenario.projectId} scenarioId={scenario.id} color={scenario.color} />}
      </Td>
      <Td className={`${wide} text-right`}>{formatInteger(scenario.rowCount)}</Td>
      <Td className={`${wide} text-right`}>{target.format(scenario.summary?.mean)}</Td>
      <Td className={`${wide} whitespace-nowrap text-ink-faint`}>
        <Time at={scenario.createdAt} />
      </Td>
      <Td className="text-right">
        {may("updateScenario") && (
          <RowMenu row={scenario.title}>
            <MenuItem onSelect={() => setIsEdited(true)}>Edit title, tags and notes</MenuItem>
            <MenuItem onSelect={onAdjust} disabled={!done}>
              Adjust a copy
            </MenuItem>
            <MenuItem danger onSelect={onDelete}>
              Delete
            </MenuItem>
          </RowMenu>
        )}
        {isEdited && <EditScenarioDialog scenario={scenario} onClose={() => setIsEdited(false)} />}
      </Td>
    </tr>
  );
}

/** Draws a scenario's predictions as a small line for a table row. */
function Sparkline({
  projectId,
  scenarioId,
  color,
}: {
  projectId: string;
  scenarioId: string;
  color: string;
}) {
  const { data } = useQuery(queries.predictionChart(projectId, scenarioId, "maxPoints=60"));
  if (!data) return <span className="block h-6 w-24" />;
  const present = data.values.filter((value): value is number => value !== null);
  const low = Math.min(...present);
  const span = Math.max(...present) - low || 1;
  const step = 96 / Math.max(1, data.values.length - 1);
  const points = data.values
    .map((value, index) =>
      value === null ? null : `${(index * step).toFixed(1)},${(22 - ((value - low) / span) * 20).toFixed(1)}`,
    )
    .filter((point) => point !== null)
    .join(" ");
  return (
    <svg viewBox="0 0 96 24" className="h-6 w-24" aria-hidden="true">
      {present.length === 1 && <circle cx="48" cy="12" r="2" fill={color} />}
      <polyline points={points} fill="none" stroke={color} strokeWidth="1.5" strokeLinejoin="round" />
    </svg>
  );
}
