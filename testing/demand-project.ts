import { dailyDemand } from "./sample-series.ts";
import { createTrainedProject, type TrainedProject } from "./scenario-factory.ts";

const days = 200;

/** Of what the model has learned from. */
export const lastDay = "2023-07-19"; // 200 days from 2023-01-01 on.

/** A project whose model predicts the day's demand from date and price. */
export const createDemandProject = (): Promise<TrainedProject> =>
  createTrainedProject({ csv: dailyDemand(days), target: "demand", timestamp: "date" });

/** The days after the last known one, as rows of `date,price`. */
export const laterDays = (count: number) =>
  Array.from({ length: count }, (_, i) => {
    const date = new Date(Date.UTC(2023, 0, 1 + days + i)).toISOString().slice(0, 10);
    return { date, price: 5 + i / 4 };
  });

export const daysCsv = (rows: { date: string; price: number | string }[]): string =>
  `date,price\n${rows.map(({ date, price }) => `${date},${price}`).join("\n")}\n`;

/** A call in a project by its key, of one of its scenarios where `scenarioId` is given. */
export const callIn =
  ({ projectId, as }: TrainedProject) =>
  ({ scenarioId, ...rest }: { scenarioId?: string; [key: string]: unknown } = {}) => ({
    params: { projectId, ...(scenarioId === undefined ? {} : { scenarioId }) },
    as,
    ...rest,
  });
