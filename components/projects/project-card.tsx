import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import { statusTones } from "#components/jobs/job-text.ts";
import { formatMetric, metricName } from "#components/model/metric-text.ts";
import { Badge } from "#components/ui/badge.tsx";
import { ColorDot } from "#components/ui/color-dot.tsx";
import { Link } from "#components/ui/link.tsx";
import { Spinner } from "#components/ui/spinner.tsx";
import { Time } from "#components/ui/time.tsx";
import { counted } from "#lib/contract/counted";
import type { ProjectOverview } from "#lib/contract/projects";

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <span className="min-w-0">
      <span className="block text-xs text-ink-faint">{name}</span>
      <span className="flex h-5 min-w-0 items-center gap-1.5">{children}</span>
    </span>
  );
}

const Missing = ({ children }: { children: string }) => <span className="text-ink-faint">{children}</span>;

/** Summarises a project. All cards have the same lines, so that projects are easy to compare. */
export function ProjectCard({ project }: { project: ProjectOverview }) {
  const { currentModel: model, lastScenario: scenario, openJobs } = project;
  const upstream = project.dependencies.length;
  return (
    <Link
      href={`/projects/${project.id}/${model ? "scenarios" : "data"}`}
      className="group flex min-w-0 flex-col rounded-lg border bg-surface p-5 text-[13px] shadow-soft transition-colors hover:border-line-strong"
    >
      <span className="flex h-6 items-center justify-between gap-3">
        <span dir="auto" className="truncate text-base font-semibold" title={project.name}>
          {project.name}
        </span>
        {openJobs > 0 ? (
          <span className="figures flex shrink-0 items-center gap-1.5 rounded-full bg-accent-wash px-2 py-0.5 text-xs font-medium text-accent">
            <Spinner />
            {counted(openJobs, "job")} running
          </span>
        ) : (
          <ArrowRight className="size-4 shrink-0 text-ink-faint transition-transform group-hover:translate-x-0.5" />
        )}
      </span>
      <span
        dir="auto"
        className="mt-1 mb-4 line-clamp-2 min-h-10 break-words text-ink-faint"
        title={project.description ?? undefined}
      >
        {project.description || "No description"}
      </span>
      <span className="mt-auto grid grid-cols-2 gap-x-4 gap-y-3 border-t pt-3">
        <Fact name="Predicts">
          {project.target === null ? (
            <Missing>no data yet</Missing>
          ) : (
            <span className="truncate font-mono text-xs" title={project.target}>
              {project.target}
            </span>
          )}
        </Fact>
        <Fact name={model?.modelName ?? "Model"}>
          {model ? (
            <span className="figures">
              <span className="text-ink-faint">{metricName(model.targetMetric)}</span>{" "}
              {formatMetric(model.targetMetric, model.primaryMetricValue)}
            </span>
          ) : (
            <Badge tone="warn">none yet</Badge>
          )}
        </Fact>
        <Fact name="Default checkpoint">
          {project.defaultCheckpointLabel === null ? (
            <Missing>none</Missing>
          ) : (
            <span dir="auto" className="truncate" title={project.defaultCheckpointLabel}>
              {project.defaultCheckpointLabel}
            </span>
          )}
        </Fact>
        <Fact name="Last scenario">
          {scenario === null ? (
            <Missing>none</Missing>
          ) : (
            <>
              <ColorDot color={scenario.color} />
              <span dir="auto" className="truncate" title={scenario.title}>
                {scenario.title}
              </span>
              {scenario.status !== "Completed" && (
                <Badge tone={statusTones[scenario.status]}>{scenario.status}</Badge>
              )}
            </>
          )}
        </Fact>
      </span>
      <span className="mt-3 text-xs text-ink-faint">
        {model ? "Trained " : "Created "}
        <Time at={model?.trainedAt ?? project.createdAt} />
        {upstream > 0 && ` · uses ${counted(upstream, "upstream project")}`}
      </span>
    </Link>
  );
}
