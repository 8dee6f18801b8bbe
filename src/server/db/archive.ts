/** The tables whose old months leave. */
export type ArchivedTable = 'ledger_entries' | 'platform_fees' | 'sleeve_stays'

/** A file of an archived month, as the month's manifest names it. */
export type ArchivedFile = { table: ArchivedTable; name: string; rows: number; sha256: string }

/** Columns by name, as PostgreSQL writes them; null where there is nothing. */
export type ArchivedRow = Record<string, string | null>

/** Whose rows: of users from one id to another, and if given only those of ids between two. */
export type ArchivedSpan = { from: string; to: string; ids?: { from: string; to: string } }

/**
 * Reads the files of archived months. Rejects with an `ArchiveFault` if one is missing, or not as
 * it was written.
 */
export type Archive = {
  folder: string
  /**
   * Rows in the order of their key. A file is compared with its hash before a process reads it for
   * the first time.
   */
  rowsOf: (file: ArchivedFile, span: ArchivedSpan) => Promise<ArchivedRow[]>
  /** Compares a file with its hash now. */
  verify: (file: ArchivedFile) => Promise<void>
  /**
   * The sums of a file that are carried forward in the database, a line for each account or bot, in
   * the order of users.
   */
  sumsOf: (file: ArchivedFile) => AsyncIterable<string[]>
}
