/** Something that is open or not, and that others wait for. Made closed. */
export interface Gate {
  /** Resolves as soon as it is open; rejects when it has ended. */
  open(): Promise<void>
  isOpen(): boolean
  let(): void
  close(): void
  /** Nobody waits any longer. */
  end(): void
}

export const createGate = (): Gate => {
  const make = () => {
    const gate = Promise.withResolvers<void>()
    // Perhaps nobody waits for it.
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
