import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { Checkpoint } from "#lib/contract/checkpoints";
import type { Dataset } from "#lib/contract/datasets";
import type { Job } from "#lib/contract/jobs";
import type { InputFeature } from "#lib/contract/models";
import type { Project } from "#lib/contract/projects";
import { splitRunName } from "#lib/contract/run-names";
import type { Difference } from "#lib/contract/scenario-differences";
import type { Comparison, PredictionChart } from "#lib/contract/scenario-series";
import type { Scenario } from "#lib/contract/scenarios";
import { brief, ofFeature } from "./brief.ts";
import { FailedCall } from "./operations.ts";
import type { Tool, Values } from "./tool.ts";

const project = "/api/v1/projects/{projectId}";
const scenario = `${project}/scenarios/{scenarioId}` as const;
/** Points of a chart, so that an answer with intervals is short. */
const POINTS = 30;

const csv = z.string().optional().describe("Rows as CSV text with a header, in place of a file.");
/** Returns the values with the text of a CSV as the file that the operation takes. */
const withFile = ({ csv, ...values }: Values): Values =>
  typeof csv === "string" ? { ...values, fileData: Buffer.from(csv, "utf8").toString("base64") } : values;

/** Returns the result of a call, or null if the project does not have it. */
async function orNull<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof FailedCall && /^\w+_not_found:/.test(error.message)) return null;
    throw error;
  }
}

export const tools: Tool[] = [
  {
    name: "describe_project",
    title: "Describe the project",
    description: "Also returns the data, and the inputs of the current model. Call it first.",
    operation: `GET ${project}`,
    fields: [],
    async run(_, { call, page }) {
      const found = await call<Project>(`GET ${project}`);
      const [data, model] = await Promise.all([
        orNull(call<Dataset>(`GET ${project}/dataset`)),
        orNull(call<{ inputFeatures: InputFeature[] }>(`GET ${project}/models/current`)),
      ]);
      const { name, description, target, currentModel, defaultCheckpointId, dependencies } = found;
      return {
        name,
        description,
        target,
        currentModel,
        defaultCheckpointId,
        dependencies,
        data: data && {
          rowCount: data.rowCount,
          timestamp: data.timestamp,
          frequency: data.frequency,
          firstTimestamp: data.firstTimestamp,
          lastTimestamp: data.lastTimestamp,
          warnings: data.warnings.map(({ message }) => message),
        },
        inputs: model?.inputFeatures.map(ofFeature) ?? [],
        page: page(""),
      };
    },
  },
  {
    name: "list_scenarios",
    title: "List scenarios",
    description: "Returns 20 scenarios unless `limit` is given.",
    operation: `GET ${project}/scenarios`,
    fields: ["search", "status", "source", "tag", "sort", "order", "limit"],
    async run(values, { call, page }) {
      const found = await call<Scenario[]>(`GET ${project}/scenarios`, {
        limit: 20,
        archived: "false",
        ...values,
      });
      return { scenarios: found.map((one) => brief(one, page)), page: page("scenarios") };
    },
  },
  {
    name: "read_scenario",
    title: "Read a scenario and its predictions",
    description: `Returns the scenario and at most ${POINTS} points of its predictions, unless \`maxPoints\` is given. Totals are in \`summary\`.`,
    operation: `GET ${scenario}/predictions`,
    fields: ["scenarioId", "from", "to", "bucket", "aggregate", "maxPoints"],
    async run(values, { call, page }) {
      const found = await call<Scenario>(`GET ${scenario}`, values);
      const shown = { ...brief(found, page), warnings: found.warnings.map(({ message }) => message) };
      if (found.status !== "Completed") return shown;
      const chart = await call<PredictionChart>(`GET ${scenario}/predictions`, {
        maxPoints: POINTS,
        ...values,
      });
      return { ...shown, predictions: chart };
    },
  },
  {
    name: "compare_scenarios",
    title: "Compare scenarios, with the causes of their differences",
    description: `Returns at most ${POINTS} points unless \`maxPoints\` is given, and for each scenario the largest parts of its difference from the baseline.`,
    operation: `GET ${project}/scenarios/compare`,
    fields: ["ids", "baselineId", "from", "to", "bucket", "aggregate", "maxPoints"],
    async run(values, { call, page }) {
      const found = await call<Comparison>(`GET ${project}/scenarios/compare`, {
        maxPoints: POINTS,
        ...values,
      });
      const { baselineId, scenarios, series, timestamps, rows, buckets, differs, actual } = found;
      const others = scenarios.filter(({ id }) => id !== baselineId).slice(0, 5);
      const why = [];
      for (const { id, title } of others) {
        const { from, to } = values;
        const split = await call<Difference>(`GET ${scenario}/difference`, {
          ...splitRunName(id),
          baselineId,
          from,
          to,
          maxPoints: 2,
        });
        const parts = split.parts.slice(0, 8).map(({ kind, feature, total }) => ({ kind, feature, total }));
        why.push({ scenarioId: id, title, totalDifference: split.totalDifference, parts });
      }
      const ids = scenarios.map(({ id }) => id).join(",");
      return {
        baselineId,
        scenarios: scenarios.map(({ id, title, checkpointLabel, summary }) => ({
          id,
          title,
          checkpointLabel,
          summary,
        })),
        differences: series.map(({ scenarioId, totalDifference, percentDifference }) => ({
          scenarioId,
          totalDifference,
          percentDifference,
        })),
        why,
        differs,
        page: page(`scenarios/compare?ids=${ids}&baselineId=${baselineId}`),
        ...(buckets && { bucket: buckets.unit }),
        ...(timestamps ? { timestamps } : { rows }),
        actual,
        series: series.map(({ scenarioId, values }) => ({ scenarioId, values })),
      };
    },
  },
  {
    name: "predict",
    title: "Predict rows",
    description: "`input` has a list of values for each input of the model, all of the same length.",
    operation: `POST ${project}/predict`,
    fields: ["input", "checkpointId", "include"],
    run: (values, { call }) => call(`POST ${project}/predict`, values),
  },
  {
    name: "validate_input",
    title: "Check the input of a scenario",
    description: "Send `csv`, or `baseScenarioId` with `adjustments`.",
    operation: `POST ${project}/scenarios/validate`,
    fields: ["baseScenarioId", "adjustments", "checkpointId"],
    further: { csv },
    run: (values, { call }) => call(`POST ${project}/scenarios/validate`, withFile(values)),
  },
  {
    name: "create_scenario",
    title: "Create a scenario",
    description:
      "Send `csv`, or `baseScenarioId` with `adjustments`, or `endDate`, or none of them. Uses the default checkpoint unless `checkpointId` is given. Waits for the predictions up to `waitSeconds`; then follow the job with `read_job`.",
    operation: `POST ${project}/scenarios`,
    fields: [
      "title",
      "description",
      "tags",
      "endDate",
      "baseScenarioId",
      "adjustments",
      "checkpointId",
      "dependentProjectCheckpoints",
    ],
    further: {
      csv,
      waitSeconds: z
        .number()
        .min(0)
        .max(60)
        .optional()
        .describe("Seconds to wait, at most 60. Defaults to 20."),
    },
    async run({ waitSeconds = 20, ...values }, { call, page, signal }) {
      const { defaultCheckpointId } = await call<Project>(`GET ${project}`);
      const created = await call<{ jobId: string; scenarioId: string }>(
        `POST ${project}/scenarios`,
        withFile({ checkpointId: defaultCheckpointId, ...values }),
      );
      const endMs = performance.now() + 1000 * Math.min(60, Math.max(0, Number(waitSeconds) || 0));
      let job = await call<Job>("GET /api/v1/jobs/{jobId}", created);
      // Calls count towards the key's limit, so the pauses grow.
      for (
        let pauseMs = 200;
        isOpen(job) && performance.now() < endMs;
        pauseMs = Math.min(2_000, 1.5 * pauseMs)
      ) {
        await delay(Math.min(pauseMs, endMs - performance.now()), undefined, { signal });
        job = await call<Job>("GET /api/v1/jobs/{jobId}", created);
      }
      const { status, progress, error } = job;
      const made = await call<Scenario>(`GET ${scenario}`, created);
      return { ...brief(made, page), job: { id: created.jobId, status, progress, error } };
    },
  },
  {
    name: "run_sensitivity",
    title: "Find the inputs that matter in a scenario",
    description: "",
    operation: `GET ${scenario}/sensitivity`,
    fields: ["scenarioId", "change", "feature", "from", "to"],
    run: (values, { call }) => call(`GET ${scenario}/sensitivity`, values),
  },
  {
    name: "goal_seek",
    title: "Find adjustments that reach a goal",
    description: "Create a scenario with the adjustments only if that is asked for.",
    operation: `POST ${scenario}/goal-seek`,
    fields: ["scenarioId", "levers", "goal", "constraints", "from", "to"],
    run: (values, { call }) => call(`POST ${scenario}/goal-seek`, values),
  },
  {
    name: "add_actuals",
    title: "Append actual values to the data",
    description: "The rows of `csv` come after the last known time. They cannot be removed with a tool.",
    operation: `POST ${project}/dataset/rows`,
    fields: [],
    further: { csv: z.string().describe("Rows as CSV text with a header.") },
    async run(values, { call, page }) {
      const data = await call<Dataset>(`POST ${project}/dataset/rows`, withFile(values));
      const { rowCount, firstTimestamp, lastTimestamp, warnings } = data;
      return { rowCount, firstTimestamp, lastTimestamp, warnings, page: page("data") };
    },
  },
  {
    name: "list_actuals",
    title: "Compare a scenario with actual values",
    description: `Returns at most ${POINTS} points unless \`maxPoints\` is given.`,
    operation: `GET ${scenario}/actuals`,
    fields: ["scenarioId", "from", "to", "maxPoints"],
    run: (values, { call }) => call(`GET ${scenario}/actuals`, { maxPoints: POINTS, ...values }),
  },
  {
    name: "read_track_record",
    title: "Read how good the forecasts were",
    description: `Returns at most ${POINTS} points unless \`maxPoints\` is given.`,
    operation: `GET ${project}/track-record`,
    fields: ["scenarioId", "maxPoints"],
    run: (values, { call }) => call(`GET ${project}/track-record`, { maxPoints: POINTS, ...values }),
  },
  {
    name: "list_checkpoints",
    title: "List checkpoints",
    description: "",
    operation: `GET ${project}/checkpoints`,
    fields: ["limit"],
    async run(values, { call, page }) {
      const found = await call<Checkpoint[]>(`GET ${project}/checkpoints`, values);
      return { checkpoints: found, page: page("checkpoints") };
    },
  },
  {
    name: "read_job",
    title: "Read the progress of a job",
    description: "",
    operation: "GET /api/v1/jobs/{jobId}",
    fields: ["jobId"],
    run: (values, { call }) => call("GET /api/v1/jobs/{jobId}", values),
  },
];

const isOpen = ({ status }: Job) => status === "Pending" || status === "Running";
