import type { Page } from "@playwright/test";
import { runAxe, violationLines } from "./axe.ts";

/**
 * The scored audits of Lighthouse 13's category "accessibility", by weight (`core/config/default-config.js`). Each
 * audit is the axe rule of the same name. Informative and manual audits have no weight.
 */
const audits: Record<number, string[]> = {
  10: [
    ...["aria-allowed-attr", "aria-hidden-body", "aria-required-attr", "aria-required-children"],
    ...["aria-required-parent", "aria-roles", "aria-valid-attr-value", "aria-valid-attr", "button-name"],
    ...["duplicate-id-aria", "image-alt", "input-button-name", "input-image-alt", "label", "meta-refresh"],
    ...["meta-viewport", "select-name", "video-caption"],
  ],
  7: [
    ...["accesskeys", "aria-command-name", "aria-conditional-attr", "aria-dialog-name", "aria-hidden-focus"],
    ...["aria-input-field-name", "aria-meter-name", "aria-progressbar-name", "aria-prohibited-attr"],
    ...["aria-text", "aria-toggle-field-name", "aria-tooltip-name", "aria-treeitem-name", "bypass"],
    ...["color-contrast", "definition-list", "dlitem", "document-title", "frame-title", "html-has-lang"],
    ...["html-lang-valid", "link-in-text-block", "link-name", "list", "listitem", "object-alt", "tabindex"],
    ...["target-size", "td-headers-attr", "th-has-data-cells", "valid-lang"],
  ],
  3: [
    ...["form-field-multiple-labels", "heading-order", "html-xml-lang-mismatch", "landmark-one-main"],
    "skip-link",
  ],
  1: ["aria-deprecated-role", "autocomplete-valid", "presentation-role-conflict", "svg-img-alt"],
};
const weights = new Map(
  Object.entries(audits).flatMap(([weight, rules]) => rules.map((rule) => [rule, Number(weight)] as const)),
);

export type AccessibilityScore = {
  /** Weight of the passed audits as a fraction of all applicable ones, 0 to 1. */
  score: number;
  /** Number of applicable audits. */
  applied: number;
  /** Failed audits, one line each. */
  failed: string[];
};

/**
 * Computes the accessibility score like Lighthouse: undecided checks count as passed, inapplicable audits are excluded.
 */
export async function accessibilityScore(page: Page): Promise<AccessibilityScore> {
  const { violations, passes, incomplete } = await runAxe(page, undefined, [...weights.keys()]);
  const broken = new Set(violations.map(({ id }) => id));
  const applied = new Set([...violations, ...passes, ...incomplete].map(({ id }) => id));
  const weigh = (rules: Iterable<string>) => [...rules].reduce((sum, rule) => sum + weights.get(rule)!, 0);
  return {
    score: 1 - weigh(broken) / weigh(applied),
    applied: applied.size,
    failed: violationLines({ violations }),
  };
}
