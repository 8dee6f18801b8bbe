/** A sentence in which no line ends with the sign of an amount: browsers may break a line between '−' and '$'. */
export function WholeAmounts({ text }: { text: string }) {
  return text.split(/([−+]\$\S+)/).map((part, place) =>
    place % 2 === 0 ? (
      part
    ) : (
      <span key={place} className="whitespace-nowrap">
        {part}
      </span>
    ),
  )
}
