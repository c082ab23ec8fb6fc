/** A gate that callers wait for. Initially closed. */
export interface Gate {
  /** Resolves as soon as it is open; rejects when it has ended. */
  open(): Promise<void>
  isOpen(): boolean
  let(): void
  close(): void
  /** Rejects all waiting calls. */
  end(): void
}

export const createGate = (): Gate => {
  const make = () => {
    const gate = Promise.withResolvers<void>()
    // There may be no waiting call.
    gate.promise.catch(() => {})
    return gate
  }
  let current = make()
  let isOpen = false
  return {
    open: () => current.promise,
    isOpen: () => isOpen,
    let: () => {
      isOpen = true
      current.resolve()
    },
    close: () => {
      if (isOpen) current = make()
      isOpen = false
    },
    end: () => {
      if (isOpen) current = make()
      isOpen = false
      current.reject(new Error('the sandbox ends'))
    },
  }
}
