"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { queries } from "#components/api/queries.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { QueryState } from "#components/ui/states.tsx";
import type { Project } from "#lib/contract/projects";
import { DependencyGraphDrawing } from "./dependency-graph.tsx";

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
