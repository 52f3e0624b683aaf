import { counted } from "#lib/contract/counted";
import type { Fault } from "#lib/engine/csv/issues";
import { DomainError, type ErrorDetail } from "#lib/platform/errors/domain-error";

/** The first faults of a file or an input, and how many there are in all. */
export type Faults = { faults: readonly Fault[]; faultCount: number };

/** What a CSV with faults is answered with: each of the listed faults, and a count where there are more. */
export function csvRefusal(found: Faults): DomainError {
  return faultRefusal("The CSV", found.faults.map(faultDetail), found.faultCount);
}

/** @param subject what has the faults: the first words of the message */
export function faultRefusal(subject: string, details: ErrorDetail[], faultCount: number): DomainError {
  const count = faultCount === 1 ? "a fault" : counted(faultCount, "fault");
  const message = `${subject} has ${count}: ${details[0]?.message ?? ""}`.trim();
  return new DomainError("input_invalid", message, { details, unlisted: faultCount - details.length });
}

export function faultDetail({ row, column, value, code, message, expected, nearest }: Fault): ErrorDetail {
  return {
    ...{ row, column, value, code, message },
    ...(expected === undefined ? {} : { expected }),
    ...(nearest === undefined ? {} : { nearest }),
  };
}
