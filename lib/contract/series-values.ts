import { z } from "zod";
import { LevelBounds } from "./intervals.ts";

/** Values of a series, one for each point. `null`: no value. */
export const Values = z.array(z.number().nullable());

export const levels = z
  .array(LevelBounds)
  .optional()
  .describe("Prediction intervals at the requested `levels`.");
