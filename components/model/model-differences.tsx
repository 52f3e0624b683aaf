import { formatInteger, formatSigned } from "#components/ui/format.ts";
import { HiddenTh, Table, Td, Th } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import { type ComparedModel, compareModels } from "./compare-models.ts";
import { formatMetric, metricName } from "./metric-text.ts";

/** Lists two models side by side, with the features and steps that only one of them has. */
export function ModelDifferences({
  first,
  second,
  titles,
}: {
  first: ComparedModel;
  second: ComparedModel;
  titles: readonly [string, string];
}) {
  const { metrics, features, steps } = compareModels(first, second);
  const lists = [
    ["Only in this model: input features", features],
    ["Only in this model: engineering", steps],
  ] as const;
  return (
    <div className="-mx-5">
      <Table>
        <thead>
          <tr>
            <HiddenTh>Property</HiddenTh>
            <Th className="!whitespace-normal">{titles[0]}</Th>
            <Th className="!whitespace-normal">{titles[1]}</Th>
            <Th className="text-right">Difference</Th>
          </tr>
        </thead>
        <tbody className="figures align-top">
          <tr>
            <Td className="text-ink-soft">Model</Td>
            <Td>{first.modelName}</Td>
            <Td>{second.modelName}</Td>
            <Td />
          </tr>
          <tr>
            <Td className="text-ink-soft">Trained</Td>
            <Td>
              <Time at={first.trainedAt} />
            </Td>
            <Td>
              <Time at={second.trainedAt} />
            </Td>
            <Td />
          </tr>
          <tr>
            <Td className="text-ink-soft">Training rows</Td>
            <Td>{formatInteger(first.trainingRows)}</Td>
            <Td>{formatInteger(second.trainingRows)}</Td>
            <Td className="text-right">{formatSigned(second.trainingRows - first.trainingRows)}</Td>
          </tr>
          {metrics.map(({ name, first: left, second: right }) => (
            <tr key={name}>
              <Td className="text-ink-soft">{metricName(name)}, validation</Td>
              <Td>{formatMetric(name, left)}</Td>
              <Td>{formatMetric(name, right)}</Td>
              <Td className="text-right">
                {left === null || right === null ? "–" : formatSigned(right - left)}
              </Td>
            </tr>
          ))}
          {lists.map(([title, { onlyFirst, onlySecond }]) => (
            <tr key={title}>
              <Td className="text-ink-soft">{title}</Td>
              {[onlyFirst, onlySecond].map((items, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the first and the second model
                <Td key={index}>
                  {items.length === 0 ? (
                    <span className="text-ink-faint">none</span>
                  ) : (
                    <ul className="space-y-0.5">
                      {items.map((item) => (
                        <li key={item}>{item}</li>
                      ))}
                    </ul>
                  )}
                </Td>
              ))}
              <Td />
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
