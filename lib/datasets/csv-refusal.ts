import type { Fault } from "#lib/csv/faults";
import { DomainError, type ErrorDetail } from "#lib/errors/domain-error";

/** What a CSV with faults is answered with: each of the listed faults, and a count where there are more. */
export function csvRefusal({ faults, faultCount }: { faults: Fault[]; faultCount: number }): DomainError {
  const details = faults.map(faultDetail);
  if (faultCount > details.length) {
    const more = faultCount - details.length;
    details.push({
      code: "more_faults",
      message: `${more} more ${more === 1 ? "fault is" : "faults are"} not listed.`,
    });
  }
  const count = faultCount === 1 ? "a fault" : `${faultCount} faults`;
  return new DomainError("input_invalid", `The CSV has ${count}: ${faults[0]?.message ?? ""}`.trim(), {
    details,
  });
}

export function faultDetail({ row, column, value, code, message, expected }: Fault): ErrorDetail {
  return { row, column, value, code, message, ...(expected === undefined ? {} : { expected }) };
}
