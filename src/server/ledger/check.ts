/** An invariant, and the statement that lists every row that violates it as (subject, finding). */
export type Check = { name: string; statement: string }

/** A row that violates an invariant. */
export type Difference = { check: string; subject: string; finding: string }
