/** An invariant, and the statement that lists every row that violates it as (subject, finding). */
export type Check = { name: string; statement: string }

/** A row that violates an invariant. */
export type Difference = { check: string; subject: string; finding: string }

/** Whether the month of a transfer has left for files: its entries were checked when it left. */
export const hasLeft = (id: string): string => `exists (select 1 from archived_months m where ${id} >= m.first_id and ${id} < m.end_id)`

/** The same of stays, which were kept by months that left before stays could. */
export const haveStaysLeft = (id: string): string => `exists (select 1 from archived_months m where ${id} >= m.first_id and ${id} < m.end_id and ${HAS_STAYS})`

/** Whether a month `m` has a file of stays. */
export const HAS_STAYS = `m.manifest like '%"sleeve_stays"%'`
