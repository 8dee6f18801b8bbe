/** An invariant, and the statement that lists every row that violates it as (subject, finding). */
export type Check = { name: string; statement: string }

/** A row that violates an invariant. */
export type Difference = { check: string; subject: string; finding: string }

/**
 * Whether the month of an id has left for files: its rows were checked when it left. `which`: a
 * condition on the month `m`.
 */
export const hasLeft = (id: string, which = 'true'): string =>
  `exists (select 1 from archived_months m where ${id} >= m.first_id and ${id} < m.end_id and ` +
  `${which})`

/** Whether a month `m` has a file of stays: one that left before stays could does not. */
export const HAS_STAYS = `m.manifest like '%"sleeve_stays"%'`
