/**
 * The outcome of `act`, or undefined where the browser denies it: storage, cookies and channels in
 * some modes, and values that extensions replace. Threat: an error here would leave the page blank.
 */
export function attempt<Output>(act: () => Output): Output | undefined {
  try {
    return act()
  } catch (error) {
    console.warn(error)
    return undefined
  }
}
