/** A placeholder while data loads. `className` sets its final size, so that nothing shifts. */
export function Skeleton({ className }: { className: string }) {
  return (
    <span
      aria-hidden="true"
      className={`block max-w-full rounded-stamp bg-raised motion-safe:animate-breathe ${className}`}
    />
  )
}
