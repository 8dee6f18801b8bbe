/** One recomputation: what must hold, and the statement that lists every row that breaks it as (subject, finding). */
export type Check = { name: string; statement: string }
