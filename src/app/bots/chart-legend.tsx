export function ChartLegend() {
  return (
    <p className="flex flex-wrap gap-x-5 gap-y-1 text-14 text-ink2">
      <span className="inline-flex items-center gap-2">
        <span aria-hidden="true" className="w-5 border-t-2 border-ink" /> This bot
      </span>
      <span className="inline-flex items-center gap-2">
        <span aria-hidden="true" className="w-5 border-t-2 border-dashed border-ink3" /> Buy and hold
      </span>
    </p>
  )
}
