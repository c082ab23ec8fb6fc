/** The part of `process` that is used. */
export interface Terminable {
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown
  exit(code: number): void
}

/**
 * Closes the parts of the process at SIGTERM or SIGINT and exits with 0. If closing fails or a second signal arrives,
 * exits with 1. For boot files only.
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
