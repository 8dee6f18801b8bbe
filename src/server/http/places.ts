/**
 * Limits how many of something each address has at once. Takes a place for an address and returns
 * what gives it back; undefined if the address has `most` places already.
 */
export function placesPerAddress(most: number): (address: string) => (() => void) | undefined {
  const taken = new Map<string, number>()
  return (address) => {
    const count = (taken.get(address) ?? 0) + 1
    if (count > most) return undefined
    taken.set(address, count)
    return () => {
      const left = (taken.get(address) ?? 1) - 1
      if (left === 0) taken.delete(address)
      else taken.set(address, left)
    }
  }
}
