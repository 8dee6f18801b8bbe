type Status = 'completed' | 'pending' | 'processing' | 'failed'

const LOOKS: Record<Status, { colour: string; dot: string }> = {
  completed: { colour: 'text-gain', dot: 'bg-gain' },
  pending: { colour: 'text-warn', dot: 'bg-warn' },
  processing: { colour: 'text-info', dot: 'bg-info' },
  failed: { colour: 'text-loss', dot: 'bg-loss' },
}

/** completed green, pending yellow, processing blue, failed red; the word says it too. */
export function StatusBadge({ status }: { status: Status }) {
  const { colour, dot } = LOOKS[status]
  return (
    <span className={`inline-flex items-center gap-1.5 text-12 font-semibold whitespace-nowrap ${colour}`}>
      <span aria-hidden="true" className={`size-1.5 rounded-full ${dot}`} />
      {status}
    </span>
  )
}
