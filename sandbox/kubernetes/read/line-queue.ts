/** A queue of lines with one reader. */
export interface LineQueue extends AsyncIterable<string> {
  push(line: string): void
  /** Ends the reading after the queued lines. */
  close(): void
  /** Ends the reading at once with an error. */
  fail(error: Error): void
}

/** Joins all queued lines into one text, so a burst of events is one write on the socket. */
export const createLineQueue = (onEnd: () => void): LineQueue => {
  let waiting: string[] = []
  let closed = false
  let failure: Error | undefined
  let wake: (() => void) | undefined

  const notify = (): void => {
    wake?.()
    wake = undefined
  }

  const next = async (): Promise<IteratorResult<string>> => {
    for (;;) {
      if (failure) throw failure
      if (waiting.length > 0) {
        const value = waiting.length === 1 ? (waiting[0] ?? '') : waiting.join('')
        waiting = []
        return { done: false, value }
      }
      if (closed) return { done: true, value: undefined }
      await new Promise<void>(resolve => {
        wake = resolve
      })
    }
  }

  const end = (): void => {
    if (closed) return
    closed = true
    onEnd()
    notify()
  }

  return {
    push: line => {
      if (closed) return
      waiting.push(line)
      notify()
    },
    close: end,
    fail: error => {
      failure = error
      end()
      notify()
    },
    [Symbol.asyncIterator]: () => ({
      next,
      return: async () => {
        end()
        return { done: true, value: undefined }
      },
    }),
  }
}
