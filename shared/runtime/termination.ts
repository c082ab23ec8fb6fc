/** The part of `process` that is needed. */
export interface Terminable {
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown
  exit(code: number): void
}

/**
 * Closes the process's parts in an orderly way at SIGTERM or SIGINT and ends it with 0; a close that fails, or a
 * second signal, ends it with 1. For boot files only.
 */
export const closeOnTermination = (close: () => Promise<void>, host: Terminable = process): void => {
  let closing = false
  const end = (): void => {
    if (closing) {
      host.exit(1)
      return
    }
    closing = true
    close().then(
      () => host.exit(0),
      () => host.exit(1),
    )
  }
  host.on('SIGTERM', end)
  host.on('SIGINT', end)
}
