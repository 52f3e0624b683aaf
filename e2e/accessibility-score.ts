import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/**
 * The audits of Lighthouse 13's category "accessibility" that count, by their weight (`core/config/default-config.js`);
 * each is the rule of axe of the same name. What it only shows, or leaves to a person, has no weight.
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
  /** 0 to 1: the weight of what passed, of all that applied. */
  score: number;
  /** How many audits applied. */
  applied: number;
  /** What did not pass, a line each. */
  failed: string[];
};

/** The score for accessibility as Lighthouse reckons it: what axe cannot decide has passed, what does not apply is left out. */
export async function accessibilityScore(page: Page): Promise<AccessibilityScore> {
  const { violations, passes, incomplete } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ runOnly: { type: "rule", values: [...weights.keys()] }, resultTypes: ["violations"] })
    .analyze();
  const broken = new Set(violations.map(({ id }) => id));
  const applied = new Set([...violations, ...passes, ...incomplete].map(({ id }) => id));
  const weigh = (rules: Iterable<string>) => [...rules].reduce((sum, rule) => sum + weights.get(rule)!, 0);
  return {
    score: 1 - weigh(broken) / weigh(applied),
    applied: applied.size,
    failed: violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
    ),
  };
}
