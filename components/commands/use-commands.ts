"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useTheme } from "next-themes";
import { queries } from "#components/api/queries.ts";
import { useMay, useViewer } from "#components/api/viewer.tsx";
import { projectSections } from "#components/projects/project-sections.ts";
import { useDebounced } from "#components/ui/use-debounced.ts";
import { usePush } from "#components/ui/use-leave-question.tsx";
import { limits } from "#lib/contract/limits";
import type { Command } from "./match-commands.ts";

/**
 * Returns the commands of the palette: pages and actions.
 *
 * @param projectId the open project; null on pages outside a project
 * @param text the searched text, by which older scenarios are found
 */
export function useCommands(projectId: string | null, text: string): Command[] {
  const push = usePush();
  const isAdmin = useViewer().role === "admin";
  const may = useMay();
  const { resolvedTheme, setTheme } = useTheme();
  const enabled = projectId !== null;
  const projects = useQuery(queries.projects()).data ?? [];
  const latest = useInfiniteQuery({ ...queries.scenarios(projectId ?? ""), enabled }).data ?? [];
  const search = useDebounced(text.trim().slice(0, limits.searchMax), 200);
  const searched = useInfiniteQuery({
    ...queries.scenarios(projectId ?? "", `${new URLSearchParams({ search })}`),
    enabled: enabled && search !== "",
  }).data;
  const scenarios = new Map([...latest, ...(searched ?? [])].map((scenario) => [scenario.id, scenario]));
  const checkpoints = useQuery({ ...queries.checkpoints(projectId ?? ""), enabled }).data ?? [];
  const comparisons = useQuery({ ...queries.comparisons(projectId ?? ""), enabled }).data ?? [];
  const at = `/projects/${projectId}`;
  const go = (
    group: Command["group"],
    path: string,
    title: string,
    more: Pick<Command, "note" | "words"> = {},
  ): Command => ({ id: `${group} ${path}`, group, title, run: () => push(path), ...more });

  const actions: Command[] = [
    {
      id: "theme",
      group: "Actions",
      title: resolvedTheme === "dark" ? "Use the light theme" : "Use the dark theme",
      words: "toggle theme dark light",
      run: () => setTheme(resolvedTheme === "dark" ? "light" : "dark"),
    },
  ];
  const service = [
    go("Service", "/projects", "All projects"),
    go("Service", "/docs", "API reference", { words: "documentation openapi curl" }),
    go("Service", "/account", "Account", { words: "password sessions" }),
    ...(isAdmin ? [go("Service", "/audit", "Audit log", { words: "who changed what" })] : []),
  ];
  const everywhere = projects
    .filter(({ id }) => id !== projectId)
    .map(({ id, name, target }) =>
      go("Projects", `/projects/${id}/scenarios`, name, { ...(target && { note: `predicts ${target}` }) }),
    );
  if (projectId === null) return [...everywhere, ...actions, ...service];
  return [
    ...(may("createScenario")
      ? [go("Actions", `${at}/scenarios?open=new-scenario`, "New scenario", { words: "create add run" })]
      : []),
    go("Actions", `${at}/scenarios/compare`, "Compare scenarios", { words: "comparison difference overlay" }),
    ...(may("trainModel")
      ? [go("Actions", `${at}/model?open=train`, "Train a model", { words: "fit learn" })]
      : []),
    ...(may("createApiKey")
      ? [go("Actions", `${at}/settings?open=new-key`, "Create API key", { words: "add token" })]
      : []),
    ...actions,
    ...projectSections.map(({ path, label }) => go("This project", `${at}/${path}`, label)),
    ...[...scenarios.values()].map(({ id, title, checkpointLabel }) =>
      go("Scenarios", `${at}/scenarios/${id}`, title, { ...(checkpointLabel && { note: checkpointLabel }) }),
    ),
    ...comparisons
      .filter(({ scenarioIds }) => scenarioIds.length >= limits.compareMin)
      .map(({ id, name, scenarioIds }) =>
        go(
          "Comparisons",
          `${at}/scenarios/compare?ids=${scenarioIds.join(",")}&baselineId=${scenarioIds[0]}`,
          name,
          {
            note: `compares ${scenarioIds.length} scenarios`,
            words: id,
          },
        ),
      ),
    ...checkpoints.map(({ id, label, modelName }) =>
      go("Checkpoints", `${at}/checkpoints?open=${id}`, label, { note: modelName }),
    ),
    ...everywhere,
    ...service,
  ];
}
