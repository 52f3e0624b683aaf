import type { InputFeature } from "#lib/contract/models";
import type { Scenario } from "#lib/contract/scenarios";
import type { ToolCall } from "./tool.ts";

/** Facts of a scenario with the address of its page. */
export const brief = (one: Scenario, page: ToolCall["page"]) => ({
  id: one.id,
  title: one.title,
  status: one.status,
  source: one.source,
  tags: one.tags,
  checkpointId: one.checkpointId,
  checkpointLabel: one.checkpointLabel,
  baseScenarioId: one.baseScenarioId,
  adjustments: one.adjustments,
  rowCount: one.rowCount,
  firstTimestamp: one.firstTimestamp,
  lastTimestamp: one.lastTimestamp,
  summary: one.summary,
  page: page(`scenarios/${one.id}`),
});

/** Facts of an input of a model. */
export const ofFeature = ({
  name,
  type,
  role,
  required,
  min,
  max,
  mean,
  categories,
  sourceProjectId,
}: InputFeature) => ({
  name,
  type,
  role,
  required,
  ...(type === "category" ? { categories } : { min, max, mean }),
  ...(sourceProjectId === null ? {} : { sourceProjectId }),
});
