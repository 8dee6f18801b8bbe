/** An invariant, and the statement that lists every row that violates it as (subject, finding). */
export type Check = { name: string; statement: string }

/** A row that violates an invariant. */
export type Difference = { check: string; subject: string; finding: string }

/** Whether the month of a transfer or of a change of a pool has left for files: its rows were checked when it left. */
export const hasLeft = (id: string): string => `exists (select 1 from archived_months m where ${id} >= m.first_id and ${id} < m.end_id)`
