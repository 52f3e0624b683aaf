import { seriesTimes, unknownCalendar } from "#components/time/period.ts";
import { Badge } from "#components/ui/badge.tsx";
import { formatInteger, formatNumber } from "#components/ui/format.ts";
import { Link } from "#components/ui/link.tsx";
import { DataTable } from "#components/ui/table.tsx";
import type { InputFeature } from "#lib/contract/models";

/** Formats a feature's known range. */
export function featureRange(feature: InputFeature): string {
  const { categories, min, max } = feature;
  if (categories) return categories.slice(0, 4).join(", ") + (categories.length > 4 ? ", …" : "");
  if (feature.type === "boolean") return "true, false";
  if (min === null || max === null) return "–";
  if (feature.type === "timestamp") {
    return seriesTimes(
      [min, max].map((time) => new Date(time).toISOString()),
      unknownCalendar,
    ).join(" – ");
  }
  return `${formatNumber(min)} – ${formatNumber(max)}`;
}

function typical(feature: InputFeature): string {
  if (feature.categories) return feature.categories[0] ?? "–";
  if (feature.type === "timestamp") return "–";
  if (feature.type === "boolean" && feature.median !== null) return feature.median >= 0.5 ? "true" : "false";
  return formatNumber(feature.median);
}

function roleOf({ name, sourceProjectId, role, required }: InputFeature, series: readonly string[]) {
  const shown = series.includes(name) ? "series" : role;
  return (
    <>
      {sourceProjectId ? (
        <Link href={`/projects/${sourceProjectId}/model`} className="rounded-sm text-accent underline">
          upstream
        </Link>
      ) : (
        <Badge tone={shown === "input" ? "neutral" : "good"}>{shown}</Badge>
      )}
      {!required && <span className="ml-2 text-xs text-ink-faint">optional</span>}
    </>
  );
}

/**
 * Lists the columns of an input row.
 *
 * @param series names of the columns whose values name a series
 */
export function FeatureTable({
  features,
  series = [],
}: {
  features: readonly InputFeature[];
  series?: readonly string[] | undefined;
}) {
  return (
    <DataTable
      rows={features}
      keyOf={({ name }) => name}
      columns={[
        ["Feature", ({ name }) => name, "font-mono text-xs"],
        ["Type", ({ type }) => type, "text-ink-soft"],
        ["Role", (feature) => roleOf(feature, series)],
        [
          "Known range",
          (feature) => <span title={featureRange(feature)}>{featureRange(feature)}</span>,
          "max-w-64 truncate",
        ],
        ["Typical", typical, "text-right"],
        ["Missing", ({ missing }) => formatInteger(missing), "text-right"],
      ]}
    />
  );
}
