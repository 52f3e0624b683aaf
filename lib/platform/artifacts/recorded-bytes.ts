import { sql } from "drizzle-orm";

/** Bytes of a predicted row in the database: its time, the prediction and two bounds. */
const PREDICTION_BYTES = 32;

export const predictionBytes = (rows: number) => PREDICTION_BYTES * rows;

/** Query for the bytes that rows record: `project_id`, `kind` and `bytes`. */
export const recordedBytes = sql`
  select project_id, 'models' as kind, artifact_bytes as bytes from models
  union all select project_id, 'checkpoints', artifact_bytes from checkpoints
  union all select project_id, 'datasets', bytes from (
    select distinct project_id, part->>'key', (part->>'bytes')::bigint as bytes from datasets, jsonb_array_elements(parts) part) shared
  union all select project_id, 'scenarios', input_bytes + ${sql.raw(String(PREDICTION_BYTES))} * coalesce(row_count, 0)::bigint
    from scenario_runs
  union all select project_id, 'uploads', bytes from uploads`;
