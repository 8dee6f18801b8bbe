export type ButtonLook = 'primary' | 'outline' | 'danger' | 'quiet'

const LOOKS: Record<ButtonLook, string> = {
  primary: 'bg-accent text-on-accent',
  outline: 'border-[1.5px] border-ink text-ink',
  danger: 'border-[1.5px] border-loss text-loss',
  quiet: 'text-accent',
}

/** One shape for buttons and for links that look like buttons: 52 px tall, pressed in 120 ms. */
export function buttonStyle(look: ButtonLook): string {
  return `inline-flex min-h-13 items-center justify-center gap-2 rounded-control px-5 py-2 text-center text-17 font-semibold select-none
    transition-[transform,opacity] duration-120 active:scale-[0.98] disabled:active:scale-100 disabled:opacity-60
    aria-disabled:opacity-60 ${LOOKS[look]}`
}
