import { formatNumber, formatSigned } from "#components/ui/format.ts";
import type { InputEffect } from "#lib/contract/input-effects";

export const WARNINGS: Record<NonNullable<InputEffect["warning"]>, string> = {
  uncertain_sign: "Sign uncertain",
  contradicts_expected: "No expected effect in the data",
};

/** Describes the change whose effect is stated: "+10 %", "+1", "1 instead of 0". */
export function changeText({ change: { operation, value } }: InputEffect): string {
  if (operation === "set") return `${formatNumber(value)} instead of 0`;
  return operation === "add"
    ? `+${formatNumber(value)}`
    : `+${formatNumber(Math.round(1000 * (value - 1)) / 10)} %`;
}

export function effectText({ effect, unit }: InputEffect): string {
  return withUnit(effect, unit);
}

export function intervalText({ lower, upper, unit }: InputEffect): string {
  return lower === null || upper === null ? "–" : `${withUnit(lower, unit)} to ${withUnit(upper, unit)}`;
}

export function expectedText({ expected }: InputEffect): string {
  return expected ?? "–";
}

function withUnit(value: number, unit: InputEffect["unit"]): string {
  return unit === "percent" ? `${formatSigned(value)} %` : formatSigned(value);
}
