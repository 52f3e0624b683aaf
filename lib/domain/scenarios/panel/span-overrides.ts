import type { Condition } from "#lib/contract/conditions";
import type { StoredOverride } from "#lib/domain/scenarios/select-overrides";
import type { SpanOverride } from "#lib/engine/overrides/apply-overrides";
import type { PanelRows } from "#lib/engine/panel/panel-rows";

/** Resolves the conditions of overrides. Without a panel, no row meets a condition. */
export const spanOverrides = (
  overrides: readonly Omit<StoredOverride, "id">[],
  panel: PanelRows | null,
): SpanOverride[] =>
  overrides.map(({ from, to, operation, value, where }) => ({
    from,
    to,
    operation,
    value,
    ofSeries: where && seriesWhere(where, panel),
  }));

/** Marks the series that meet all conditions with 1. A column that the panel lacks meets none. */
function seriesWhere(where: readonly Condition[], panel: PanelRows | null): Uint8Array {
  if (panel === null) return new Uint8Array(0);
  const tests = where.map(({ feature, operator, value }) => {
    const [at, text] = [panel.columns.indexOf(feature), String(value).trim()];
    return (own: readonly string[]) => at >= 0 && (own[at] === text) === (operator === "=");
  });
  return Uint8Array.from(panel.values, (own) => (tests.every((test) => test(own)) ? 1 : 0));
}
