import type { InputColumn } from "#lib/domain/scenarios/run/scenario-input";
import { StoredInput } from "#lib/domain/scenarios/run/stored-input";
import type { ScenarioRow } from "#lib/domain/scenarios/select-scenarios";
import { nearestName } from "#lib/engine/names/nearest-name";
import { numericValues } from "#lib/engine/table/columns";
import { LruCache } from "#lib/platform/concurrency/lru-cache";
import { issueError } from "#lib/platform/errors/domain-error";

/** Columns of inputs, by run: the input of a completed run never changes. */
const cache = new LruCache<Float64Array>(100, 32 * 1024 * 1024);

/**
 * Reads the weights of a scenario's rows.
 *
 * @throws {DomainError} validation_failed for a column that the input does not have, or that has no numbers
 */
export async function readWeights(
  { runId, inputKey }: Pick<ScenarioRow["scenario"], "runId" | "inputKey">,
  name: string,
): Promise<Float64Array> {
  return cache.get(JSON.stringify([runId, name]), async (weigh) => {
    const input = await StoredInput.open(inputKey!);
    requireNumbers(input.columns, name);
    const weights = new Float64Array(input.rowCount);
    let row = 0;
    for await (const block of input.rows()) {
      weights.set(numericValues(block, name), row);
      row += block.rowCount;
    }
    weigh(weights.byteLength);
    return weights;
  });
}

/** Maximum length of an unknown name in an error message. */
const SHOWN_MAX = 100;

function requireNumbers(columns: readonly InputColumn[], name: string): void {
  const known = columns.filter(({ type }) => type === "number").map((column) => column.name);
  if (known.includes(name)) return;
  const nearest = nearestName(name, known);
  const use =
    known.length === 0
      ? "The scenario has none. Leave out `weight`."
      : `Use one of ${known.map((one) => JSON.stringify(one)).join(", ")}.`;
  throw issueError("validation_failed", {
    field: "weight",
    value: name.slice(0, SHOWN_MAX),
    code: "unknown_column",
    ...(nearest !== null && { nearest }),
    message: `${JSON.stringify(name.slice(0, SHOWN_MAX))} is not a numeric input column. ${use}`,
  });
}
