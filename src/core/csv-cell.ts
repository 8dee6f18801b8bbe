/** A text as a cell of a CSV file. Threat: spreadsheet programs run a cell that begins with = + - @ as a formula, and users choose names. */
export function csvCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
