/** Waits until `done`, at most `withinMs`. */
export async function firstOf(done: Promise<void>, withinMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, withinMs)
  })
  await Promise.race([done, late])
  clearTimeout(timer)
}
