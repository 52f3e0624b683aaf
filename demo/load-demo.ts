import type { Database } from "#db/client";
import { campusCsv, moveDays, simulateCampus } from "#db/demo/campus-energy";
import { readWeather, seattleWeatherCsv } from "#db/demo/seattle-weather";
import type { Context } from "#lib/context/context";
import { setDependencies } from "#lib/domain/projects/set-dependencies";
import { newId } from "#lib/platform/ids/new-id";
import { type AwaitJob, DemoSteps } from "./demo-steps.ts";
import { waitForJob } from "./wait-for-job.ts";

/** The demo is made by nobody who can sign in. */
const system = "system";

const temperatureFeature = "forecast_temperature";
const fortnight = { from: Date.UTC(2016, 0, 1), endDate: "2016-01-14", days: 14 };

const base64 = (content: string | Uint8Array) => Buffer.from(content as Uint8Array).toString("base64");

/**
 * Loads the demo, by the same operations that the API calls: real weather, a project that learns to predict its
 * temperature, a second one whose (simulated) energy use depends on that, and three scenarios to compare. What is there
 * already is left as it is.
 *
 * @param awaitJob waits for the worker unless told otherwise
 */
export async function loadDemo(
  db: Database,
  awaitJob: AwaitJob = (jobId) => waitForJob(db, jobId),
): Promise<{ weatherId: string; campusId: string; scenarioIds: string[] }> {
  const ctx: Context = { db, actor: { kind: "session", userId: system, role: "admin" }, requestId: newId() };
  const steps = new DemoSteps(ctx, awaitJob);
  const csv = seattleWeatherCsv();
  const weather = readWeather(csv);

  const weatherId = await loadWeather(steps, csv);
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
    fileData: base64(campusCsv(simulateCampus(weather), { withDemand: true })),
    fileName: "campus-energy-simulated.csv",
    target: "demand_mwh",
    timestamp: "date",
  });
  const temperature = await steps.checkpoint(
    weatherId,
    "Weather to 2015",
    "Learned from the days of 2012 to 2015.",
  );
  // A forecast of the temperature says little beyond the season: trees use both, a linear model would drop one of them.
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
  const weatherOf2014 = moveDays(weather, Date.UTC(2014, 0, 1), fortnight.from, fortnight.days);
  const plan = simulateCampus(weatherOf2014).map((day) => ({
    ...day,
    inTerm: day.date >= Date.UTC(2016, 0, 11),
  }));
  const uploaded = await steps.scenario(campusId, {
    ...pinned,
    title: "Term from 11 January",
    description:
      "A plan uploaded as CSV: lectures begin a week later, with the wind and sky of January 2014. The temperature is still the forecast.",
    color: "#2e9e6b",
    fileData: base64(campusCsv(plan, { withDemand: false })),
    fileName: "term-from-11-january.csv",
  });
  const warmer = await steps.scenario(campusId, {
    ...pinned,
    title: "Five degrees warmer",
    description: "The expected fortnight, each day five degrees warmer than forecast.",
    color: "#e67e22",
    baseScenarioId: expected,
    adjustments: [{ feature: temperatureFeature, operation: "add", value: 5 }],
  });
  return { weatherId, campusId, scenarioIds: [expected, uploaded, warmer] };
}

async function loadWeather(steps: DemoSteps, csv: Uint8Array): Promise<string> {
  const { id } = await steps.project(
    "Seattle temperature",
    "Demo: the day's highest temperature in Seattle, °C, learned from its own past and the calendar. Real observations of 2012 to 2015.",
  );
  await steps.dataset(id, {
    fileData: base64(csv),
    fileName: "seattle-weather.csv",
    target: "temp_max",
    timestamp: "date",
    // Known only when the day is over, as its temperature is: of no use to a forecast.
    exclude: ["precipitation", "temp_min", "wind", "weather"],
  });
  // A week ahead from the days before: what a forecast of the weather knows.
  await steps.model(id, {
    horizon: 7,
    features: { lags: [1, 2, 3, 7], rolling: [{ window: 7, shift: 1, statistic: "mean" }] },
  });
  return id;
}
