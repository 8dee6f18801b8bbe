/** The CSV format that spreadsheets of a language expect. `mark`: the byte order mark of UTF-8. */
export type CsvStyle = { mark: '' | '\uFEFF'; separator: ',' | ';'; point: '.' | ',' }

/**
 * Excel in German uses the comma as decimal point and semicolons between cells; without the mark,
 * Excel decodes UTF-8 as Windows-1252.
 */
export const CSV_STYLES = {
  en: { mark: '', separator: ',', point: '.' },
  de: { mark: '\uFEFF', separator: ';', point: ',' },
} as const satisfies Record<string, CsvStyle>

/**
 * Threat: spreadsheets run a cell that starts with = + - @ as a formula, and users choose names.
 */
export function csvCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",;\n\r]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** A decimal number with the decimal point of the style. */
export const csvNumber = (decimal: string, { point }: CsvStyle): string =>
  decimal.replace('.', point)

export const csvLine = (cells: readonly string[], { separator }: CsvStyle): string =>
  `${cells.join(separator)}\n`
