/** Names the lines and marks of a chart. `invested`: for a running bot, whose chart has its invested money and its trades too. */
export function ChartLegend({ invested }: { invested?: 'with trades' | 'without trades' }) {
  return (
    <p className="flex flex-wrap gap-x-5 gap-y-1 text-14 text-ink2">
      <Entry line="border-ink">This bot</Entry>
      <Entry line="border-dashed border-ink3">Buy and hold</Entry>
      {invested && <Entry line="border-dotted border-ink3">Invested</Entry>}
      {invested === 'with trades' && <span>B bought, S sold, number: several</span>}
    </p>
  )
}

function Entry({ line, children }: { line: string; children: string }) {
  return (
    <span className="inline-flex items-center gap-2">
      <span aria-hidden="true" className={`w-5 border-t-2 ${line}`} /> {children}
    </span>
  )
}
