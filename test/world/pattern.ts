/**
 * Joins the parts of a long pattern, because a regular expression literal cannot have line breaks.
 */
export function pattern(...parts: readonly RegExp[]): RegExp {
  return new RegExp(
    parts.map(({ source }) => source).join(''),
    [...new Set(parts.flatMap(({ flags }) => [...flags]))].join(''),
  )
}
