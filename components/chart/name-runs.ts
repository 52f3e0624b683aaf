import { formatDateTime } from "#components/ui/format.ts";
import { nextColor } from "#components/ui/palette.ts";
import { splitRunName } from "#lib/contract/run-names";
import type { Comparison } from "#lib/contract/scenario-series";

/**
 * Gives each run of a comparison its own title and colour, because all runs of a scenario have the same ones. Returns a comparison
 * without runs unchanged.
 */
export function nameRuns(comparison: Comparison): Comparison {
  const { scenarios } = comparison;
  if (scenarios.every(({ completedAt }) => completedAt === undefined)) return comparison;
  const scenarioOf = ({ id }: { id: string }) => splitRunName(id).scenarioId;
  const isOne = new Set(scenarios.map(scenarioOf)).size === 1;
  const colors: string[] = [];
  const titles: string[] = [];
  const named = scenarios.map((one, index) => {
    const isRepeated = scenarios.slice(0, index).some((former) => scenarioOf(former) === scenarioOf(one));
    const color = isRepeated ? nextColor([...scenarios.map((other) => other.color), ...colors]) : one.color;
    colors.push(color);
    if (one.completedAt === undefined) return { ...one, color };
    // The time comes first, because long titles are cut at their end.
    const run = `Run of ${formatDateTime(one.completedAt)}`;
    const title = isOne ? run : `${run}, ${one.title}`;
    titles.push(title);
    const count = titles.filter((other) => other === title).length;
    return { ...one, color, title: count === 1 ? title : `${title} (${count})` };
  });
  return { ...comparison, scenarios: named };
}
