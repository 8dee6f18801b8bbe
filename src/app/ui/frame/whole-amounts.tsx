/**
 * A sentence in which no line ends with the sign of an amount. Needed because browsers may break
 * lines between '−' and '$', and beside '+'.
 */
export function WholeAmounts({ text }: { text: string }) {
  return text.split(/([−+](?:\$\S+|\S+\u00A0\$))/).map((part, place) =>
    place % 2 === 0 ? (
      part
    ) : (
      <span key={place} className="whitespace-nowrap">
        {part}
      </span>
    ),
  )
}
