import { expect, test } from "vitest";
import { hasBikeHours, readBikeHours } from "#testing/bike-hours";
import { fitModel } from "./fit-model.ts";

test.skipIf(!hasBikeHours())(
  "hourly bike rentals: the defaults explain at least 92% of the variance of later rows, and 90% intervals cover 88 to 93%",
  async () => {
    const started = performance.now();
    const { summary } = await fitModel({ table: readBikeHours(), target: "cnt", timestamp: "time" });
    const seconds = (performance.now() - started) / 1000;
    const { r2, rmse } = summary.trainingMetrics.validation!;
    console.info(
      `bike_hour: R² ${r2!.toFixed(4)}, RMSE ${rmse!.toFixed(2)}, coverage ${summary.coverage!.toFixed(3)}, ${seconds.toFixed(1)} s`,
    );
    expect(summary.frequency).toBe("PT1H");
    expect(summary.validationRows).toBe(3476);
    expect(r2).toBeGreaterThanOrEqual(0.92);
    // Coverage on the later half of the validation rows, with a calibration that excludes them.
    expect(summary.coverage).toBeGreaterThanOrEqual(0.88);
    expect(summary.coverage).toBeLessThanOrEqual(0.93);
  },
);
