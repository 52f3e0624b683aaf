import { readFileSync } from "node:fs";
import path from "node:path";
import type { Database } from "#db/client";
import { setDependencies } from "#lib/domain/projects/set-dependencies";
import { systemUser } from "#lib/domain/users/members";
import type { Context } from "#lib/platform/context/context";
import { newId } from "#lib/platform/ids/new-id";
import { type AwaitJob, DemoSteps } from "./demo-steps.ts";
import { waitForJob } from "./wait-for-job.ts";

const temperatureFeature = "forecast_temperature";
const fortnight = { endDate: "2016-01-14", days: 14 };

/** Sources and licenses: `demo/data/README.md`. */
const files = {
  weather: "demo/data/seattle-weather.csv",
  trips: "demo/data/australian-trips.csv",
  campus: "public/samples/campus-energy-simulated.csv",
  plan: "public/samples/term-from-11-january.csv",
};

/** Returns the fields with which a request uploads a file of the repository. */
function upload(file: string): { fileData: string; fileName: string } {
  const fileData = readFileSync(path.join(import.meta.dirname, "..", file), "base64");
  return { fileData, fileName: path.basename(file) };
}

/**
 * Loads the demo with the operations that the API calls: a project that predicts the temperature from real weather data,
 * a project that predicts a simulated energy demand from these predictions, with three scenarios, and a project of many
 * series, with two scenarios. Keeps existing objects of the demo, except failed scenarios.
 *
 * @param awaitJob waits for the worker by default
 */
export async function loadDemo(
  db: Database,
  awaitJob: AwaitJob = (jobId) => waitForJob(db, jobId),
): Promise<{ weatherId: string; campusId: string; scenarioIds: string[]; tripsId: string }> {
  const ctx: Context = {
    db,
    actor: { kind: "session", userId: systemUser, role: "admin" },
    requestId: newId(),
  };
  const steps = new DemoSteps(ctx, awaitJob);
  const weatherId = await loadWeather(steps);
  const campus = await steps.project(
    "Campus energy (simulated)",
    "Demo: energy use of a made-up campus in Seattle, MWh a day. The weather is real, the use is simulated from it. The temperature comes from the project Seattle temperature.",
  );
  const campusId = campus.id;
  if (campus.dependencies.length === 0) {
    const dependencies = [{ projectId: weatherId, featureName: temperatureFeature }];
    await setDependencies(ctx, { projectId: campusId, dependencies });
  }
  await steps.dataset(campusId, {
    ...upload(files.campus),
    target: "demand_mwh",
    timestamp: "date",
  });
  const temperature = await steps.checkpoint(
    weatherId,
    "Weather to 2015",
    "Learned from the days of 2012 to 2015.",
  );
  // The temperature forecast adds little to the season. A linear model would drop one of them, trees use both.
  await steps.model(campusId, { horizon: fortnight.days, algorithm: "gradient_boosting" });
  const checkpointId = await steps.checkpoint(
    campusId,
    "Demand to 2015",
    "Learned from the days of 2012 to 2015.",
  );

  const pinned = { checkpointId, dependentProjectCheckpoints: { [weatherId]: temperature } };
  const expected = await steps.scenario(campusId, {
    ...pinned,
    title: "Expected fortnight",
    description: "The two weeks after the data, with every input generated.",
    color: "#3498db",
    endDate: fortnight.endDate,
  });
  const uploaded = await steps.scenario(campusId, {
    ...pinned,
    title: "Term from 11 January",
    description:
      "A plan uploaded as CSV: lectures begin a week later, with the wind and sky of January 2014. The temperature is still the forecast.",
    color: "#058058",
    ...upload(files.plan),
  });
  const warmer = await steps.scenario(campusId, {
    ...pinned,
    title: "Five degrees warmer",
    description: "The expected fortnight, each day five degrees warmer than forecast.",
    color: "#d97700",
    baseScenarioId: expected,
    adjustments: [{ feature: temperatureFeature, operation: "add", value: 5 }],
  });
  const tripsId = await loadTrips(steps);
  return { weatherId, campusId, scenarioIds: [expected, uploaded, warmer], tripsId };
}

async function loadTrips(steps: DemoSteps): Promise<string> {
  const { id } = await steps.project(
    "Australian trips",
    "Demo: overnight trips within Australia, thousands a quarter, by state and purpose of the visit. Real figures of 1998 to 2017.",
  );
  await steps.dataset(id, {
    ...upload(files.trips),
    target: "trips",
    timestamp: "quarter",
    series: ["state", "purpose"],
  });
  await steps.model(id, { horizon: 4 });
  const checkpointId = await steps.checkpoint(
    id,
    "Trips to 2017",
    "Learned from the quarters of 1998 to 2017.",
  );
  const nextYear = { checkpointId, endDate: "2018-10-01" };
  await steps.scenario(id, { ...nextYear, title: "Next year", color: "#3498db" });
  const festival = await steps.scenario(id, {
    ...nextYear,
    title: "Festival in Victoria (simulated)",
    description: "As predicted, with a made-up festival that brings more visitors in the summer of 2018.",
    color: "#d97700",
  });
  await steps.override(id, festival, {
    from: "2018-01-01",
    to: "2018-03-31",
    operation: "multiply",
    value: 1.15,
    reason: "A made-up festival brings 15% more holiday trips",
    where: [
      { feature: "state", operator: "=", value: "Victoria" },
      { feature: "purpose", operator: "=", value: "Holiday" },
    ],
  });
  return id;
}

async function loadWeather(steps: DemoSteps): Promise<string> {
  const { id } = await steps.project(
    "Seattle temperature",
    "Demo: the day's highest temperature in Seattle, °C, learned from its own past and the calendar. Real observations of 2012 to 2015.",
  );
  await steps.dataset(id, {
    ...upload(files.weather),
    target: "temp_max",
    timestamp: "date",
    // Known only at the end of the day, like the target, so a forecast cannot use them.
    exclude: ["precipitation", "temp_min", "wind", "weather"],
  });
  // Forecasts a week ahead from earlier days.
  await steps.model(id, {
    horizon: 7,
    features: { lags: [1, 2, 3, 7], rolling: [{ window: 7, shift: 1, statistic: "mean" }] },
  });
  return id;
}
