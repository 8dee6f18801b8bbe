import { Skeleton } from './skeleton.tsx'

/**
 * Stands in for a screen whose code takes long to arrive: its title, and where its content will be.
 */
export function ScreenOutline({ title }: { title: string }) {
  return (
    <div aria-busy="true" className="px-5 pt-4">
      <h1 className="flex min-h-12 items-center text-20 font-semibold">{title}</h1>
      <Skeleton className="mt-4 h-40 w-full" />
      <Skeleton className="mt-8 h-6 w-1/2" />
      <Skeleton className="mt-4 h-60 w-full" />
    </div>
  )
}
