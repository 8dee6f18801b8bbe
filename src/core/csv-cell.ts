/**
 * Threat: spreadsheets run a cell that starts with = + - @ as a formula, and users choose names.
 */
export function csvCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
