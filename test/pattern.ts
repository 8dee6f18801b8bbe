/** One pattern written in several parts: a pattern in source code has no line breaks of its own. */
export function pattern(...parts: readonly RegExp[]): RegExp {
  return new RegExp(
    parts.map(({ source }) => source).join(''),
    [...new Set(parts.flatMap(({ flags }) => [...flags]))].join(''),
  )
}
