import { msg, say } from '#words/words.ts'

const LOOKS = {
  completed: { word: msg('completed'), color: 'text-ink2', dot: 'bg-gain' },
  pending: { word: msg('pending'), color: 'text-warn', dot: 'bg-warn' },
  processing: { word: msg('processing'), color: 'text-info', dot: 'bg-info' },
  failed: { word: msg('failed'), color: 'text-loss', dot: 'bg-loss' },
  connected: { word: msg('Connected'), color: 'text-ink2', dot: 'bg-gain' },
  disconnected: { word: msg('Disconnected'), color: 'text-ink2', dot: 'bg-ink3' },
}

/**
 * A dot in the status's color, and the status as a word, so that color is never the only sign. The
 * word for success is not green, because in a list of amounts that would look like a gain.
 */
export function StatusBadge({ status }: { status: keyof typeof LOOKS }) {
  const { word, color, dot } = LOOKS[status]
  return (
    <span
      className={
        'inline-flex items-center gap-1.5 text-12 font-semibold whitespace-nowrap ' + color
      }
    >
      <span
        aria-hidden="true"
        data-dot
        className={`size-1.5 rounded-full forced-color-adjust-none ${dot}`}
      />
      {say(word)}
    </span>
  )
}
