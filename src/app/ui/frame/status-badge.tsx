const LOOKS = {
  completed: { color: 'text-gain', dot: 'bg-gain' },
  pending: { color: 'text-warn', dot: 'bg-warn' },
  processing: { color: 'text-info', dot: 'bg-info' },
  failed: { color: 'text-loss', dot: 'bg-loss' },
  Connected: { color: 'text-gain', dot: 'bg-gain' },
  Disconnected: { color: 'text-ink2', dot: 'bg-ink3' },
}

/** A dot in the status's color and the status as a word, so that color alone never carries it. */
export function StatusBadge({ status }: { status: keyof typeof LOOKS }) {
  const { color, dot } = LOOKS[status]
  return (
    <span className={`inline-flex items-center gap-1.5 text-12 font-semibold whitespace-nowrap ${color}`}>
      <span aria-hidden="true" className={`size-1.5 rounded-full ${dot}`} />
      {status}
    </span>
  )
}
