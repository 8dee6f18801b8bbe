/** Every text control: 52 px tall, 16 px type so that phones do not zoom in, a border of 3 to 1. */
export const INPUT_STYLE =
  'block min-h-13 w-full min-w-0 rounded-control border border-control bg-surface px-4 text-16 text-ink placeholder:text-ink3 ' +
  'focus-visible:outline-2 focus-visible:outline-offset-0 aria-invalid:border-loss'
