import { Badge } from "#components/ui/badge";
import { Table, Td, Th } from "#components/ui/table";
import type { Model } from "#lib/contract/models";
import { formatMetric, metricName, metricsOf } from "./metric-text.tsx";

type Entry = Model["leaderboard"][number];

function metricsOfEntry(entry: Entry): Record<string, number | null> {
  const { validation } = entry;
  return typeof validation === "object" && validation !== null
    ? (validation as Record<string, number | null>)
    : {};
}

/** Everything that was tried, by what it did on the validation rows. */
export function Leaderboard({ entries }: { entries: readonly Entry[] }) {
  const names = metricsOf(...entries.map(metricsOfEntry));
  return (
    <Table>
      <thead>
        <tr>
          <Th>Model</Th>
          <Th>Features</Th>
          {names.map((name) => (
            <Th key={name} className="text-right">
              {metricName(name)}
            </Th>
          ))}
        </tr>
      </thead>
      <tbody className="figures">
        {entries.map((entry) => (
          <tr key={`${entry.name}-${entry.features}`}>
            <Td className="whitespace-nowrap">
              <span className={entry.chosen ? "font-medium" : undefined}>{entry.name}</span>
              {entry.chosen === true && (
                <span className="ml-2">
                  <Badge tone="good">kept</Badge>
                </span>
              )}
            </Td>
            <Td className="text-ink-soft">{typeof entry.features === "string" ? entry.features : "–"}</Td>
            {names.map((name) => (
              <Td key={name} className="text-right">
                {formatMetric(name, metricsOfEntry(entry)[name])}
              </Td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
