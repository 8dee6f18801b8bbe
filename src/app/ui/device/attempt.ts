/**
 * The result of `act`, or undefined if the browser denies it, as with storage and cookies in some
 * modes. Threat: an error here would leave the page blank.
 */
export function attempt<Output>(act: () => Output): Output | undefined {
  try {
    return act()
  } catch (error) {
    console.warn(error)
    return undefined
  }
}
