/** Holds a place at its final size while data is on its way. `className` gives that size. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden="true" className={`block rounded-stamp bg-raised motion-safe:animate-breathe ${className}`} />
}
