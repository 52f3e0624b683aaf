"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useId, useState } from "react";
import { queries } from "#components/api/queries.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { QueryState } from "#components/ui/states.tsx";
import { WideContent } from "#components/ui/table.tsx";
import type { Project, ProjectSummary } from "#lib/contract/projects";
import { nodeHeight, nodeWidth, prepareDependencyGraph } from "./prepare-dependency-graph.ts";

const DependenciesForm = dynamic(() => import("./dependencies-form.tsx"), { ssr: false });

/** Lists the upstream projects whose predictions are input features. */
export function DependenciesSection({ project, isAdmin }: { project: Project; isAdmin: boolean }) {
  const projects = useQuery(queries.projects());
  const [editing, setEditing] = useState(false);
  const downstream = projects.data?.filter(({ dependencies }) =>
    dependencies.some(({ projectId }) => projectId === project.id),
  );
  return (
    <Card>
      <CardHeader
        title="Dependencies"
        description="Upstream projects whose predictions are input features here. Each scenario keeps the upstream checkpoints that it uses."
        actions={
          isAdmin && !editing && projects.data && <Button onClick={() => setEditing(true)}>Change</Button>
        }
      />
      <div className="space-y-4 px-5 pb-5 text-[13px]">
        <QueryState query={projects} rows={2} />
        {projects.data && editing && (
          <DependenciesForm project={project} projects={projects.data} onDone={() => setEditing(false)} />
        )}
        {projects.data &&
          !editing &&
          (project.dependencies.length > 0 ? (
            <DependencyGraphDrawing projectId={project.id} projects={projects.data} />
          ) : (
            <p className="text-ink-faint">No upstream projects.</p>
          ))}
        {downstream && downstream.length > 0 && (
          <p className="text-ink-soft">
            Used by{" "}
            {downstream.map(({ id, name }, index) => (
              <span key={id}>
                {index > 0 && ", "}
                <Link href={`/projects/${id}/settings`} className="rounded-sm text-accent underline">
                  {name}
                </Link>
              </span>
            ))}
            .
          </p>
        )}
      </div>
    </Card>
  );
}

/** Maximum number of characters in a node. */
const nameMax = 24;
/** Minimum scale of the drawing, below which it scrolls. */
const smallest = 0.75;
/** Maximum number of characters of a feature's name next to its line. */
const featureMax = 20;
const cut = (text: string, max: number) => (text.length > max ? `${text.slice(0, max - 1)}…` : text);

/** Draws the upstream projects, direct and indirect, and the flow of their predictions. */
function DependencyGraphDrawing({
  projectId,
  projects,
}: {
  projectId: string;
  projects: readonly ProjectSummary[];
}) {
  const { width, height, nodes, edges } = prepareDependencyGraph(projectId, projects);
  const arrow = useId();
  return (
    <WideContent label="Dependencies that scroll sideways" more="projects">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        className="h-auto w-full"
        // Full size if there is room, and never too small to read.
        style={{ maxWidth: width, minWidth: width * smallest }}
      >
        <title>Predictions flow from left to right</title>
        <defs>
          <marker
            id={arrow}
            viewBox="0 0 8 8"
            refX="8"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto"
          >
            <path d="M0 0L8 4L0 8z" className="fill-line-strong" />
          </marker>
        </defs>
        {edges.map(({ id, path, feature, labelX, labelY }) => (
          <g key={id}>
            <title>{feature}</title>
            <path
              d={path}
              fill="none"
              className="stroke-line-strong"
              strokeWidth="1.5"
              markerEnd={`url(#${arrow})`}
            />
            <text
              x={labelX}
              y={labelY - 6}
              textAnchor="middle"
              className="fill-ink-faint stroke-surface font-mono text-[10px]"
              strokeWidth="4"
              paintOrder="stroke"
            >
              {cut(feature, featureMax)}
            </text>
          </g>
        ))}
        {nodes.map(({ id, name, x, y, isSelf }) => {
          const box = (
            <>
              <rect
                x={x}
                y={y}
                width={nodeWidth}
                height={nodeHeight}
                rx="6"
                className={isSelf ? "fill-accent-wash stroke-accent" : "fill-raised stroke-line-strong"}
              />
              <text
                x={x + nodeWidth / 2}
                y={y + nodeHeight / 2 + 4}
                textAnchor="middle"
                className={isSelf ? "fill-accent text-xs font-medium" : "fill-ink text-xs"}
              >
                {cut(name, nameMax)}
              </text>
            </>
          );
          return isSelf ? (
            <g key={id}>
              <title>{name}</title>
              {box}
            </g>
          ) : (
            <Link key={id} href={`/projects/${id}/settings`} aria-label={`Settings of ${name}`}>
              <title>{name}</title>
              {box}
            </Link>
          );
        })}
      </svg>
    </WideContent>
  );
}
