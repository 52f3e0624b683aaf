import { Badge } from "#components/ui/badge.tsx";
import { formatInteger, formatNumber, formatSeriesTimes } from "#components/ui/format.ts";
import { Link } from "#components/ui/link.tsx";
import { Table, Td, Th } from "#components/ui/table.tsx";
import type { InputFeature } from "#lib/contract/models";

/** Formats a feature's known range. */
export function featureRange(feature: InputFeature): string {
  const { categories, min, max } = feature;
  if (categories) return categories.slice(0, 4).join(", ") + (categories.length > 4 ? ", …" : "");
  if (feature.type === "boolean") return "true, false";
  if (min === null || max === null) return "–";
  if (feature.type === "timestamp") {
    return formatSeriesTimes([min, max].map((time) => new Date(time).toISOString())).join(" – ");
  }
  return `${formatNumber(min)} – ${formatNumber(max)}`;
}

function typical(feature: InputFeature): string {
  if (feature.categories) return feature.categories[0] ?? "–";
  if (feature.type === "timestamp") return "–";
  if (feature.type === "boolean" && feature.median !== null) return feature.median >= 0.5 ? "true" : "false";
  return formatNumber(feature.median);
}

/** Lists the columns of an input row. */
export function FeatureTable({ features }: { features: readonly InputFeature[] }) {
  return (
    <Table>
      <thead>
        <tr>
          <Th>Feature</Th>
          <Th>Type</Th>
          <Th>Role</Th>
          <Th>Known range</Th>
          <Th className="text-right">Typical</Th>
          <Th className="text-right">Missing</Th>
        </tr>
      </thead>
      <tbody className="figures">
        {features.map((feature) => (
          <tr key={feature.name}>
            <Td className="font-mono text-xs">{feature.name}</Td>
            <Td className="text-ink-soft">{feature.type}</Td>
            <Td>
              {feature.sourceProjectId ? (
                <Link
                  href={`/projects/${feature.sourceProjectId}/model`}
                  className="rounded-sm text-accent underline"
                >
                  upstream
                </Link>
              ) : (
                <Badge tone={feature.role === "timestamp" ? "good" : "neutral"}>{feature.role}</Badge>
              )}
              {!feature.required && <span className="ml-2 text-xs text-ink-faint">optional</span>}
            </Td>
            <Td className="max-w-64 truncate whitespace-nowrap" title={featureRange(feature)}>
              {featureRange(feature)}
            </Td>
            <Td className="text-right">{typical(feature)}</Td>
            <Td className="text-right">{formatInteger(feature.missing)}</Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
