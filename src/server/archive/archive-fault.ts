import { Refusal } from '#core/refusal.ts'

/**
 * A file of an archived month is missing, or is not as it was written. Users are asked to try
 * again; `fault` is for the operator.
 */
export class ArchiveFault extends Refusal {
  readonly fault: string

  constructor(fault: string) {
    super('temporarily-unavailable')
    this.fault = fault
  }
}
