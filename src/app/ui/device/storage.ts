type Place = 'localStorage' | 'sessionStorage'

/** A text that this device stored; undefined if there is none. */
export function storedText(place: Place, key: string): string | undefined {
  return within(place, (storage) => storage.getItem(key)) ?? undefined
}

/** Stores a text; without one, removes it. Where the browser has no storage, denies it, or it is full, the text is gone after a reload. */
export function storeText(place: Place, key: string, text?: string): void {
  within(place, (storage) => (text === undefined ? storage.removeItem(key) : storage.setItem(key, text)))
}

export function storedKeys(place: Place): string[] {
  return within(place, (storage) => Object.keys(storage)) ?? []
}

/** The fields of a stored object. Another build of the app may have stored it, or an extension: whatever is no object has none. */
export function fieldsOf(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch (error) {
    console.warn('A stored text could not be read.', error)
    return {}
  }
}

function within<Output>(place: Place, act: (storage: Storage) => Output): Output | undefined {
  try {
    return act(window[place])
  } catch (error) {
    console.warn('This browser stores nothing here.', error)
    return undefined
  }
}
