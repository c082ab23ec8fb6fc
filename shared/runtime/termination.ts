import { brokenPipe } from './end-with-output.ts'

/** The part of `process` that is used. */
export interface Terminable {
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown
  readonly exitCode?: number | string | null | undefined
  exit(code?: number): void
}

/**
 * Closes the parts of the process at SIGTERM or SIGINT and exits with 0, or with the code of the process. If closing
 * fails or a second signal arrives, exits with 1. The end of the reader of the output is no second signal. For boot
 * files only.
 */
export const closeOnTermination = (close: () => Promise<void>, host: Terminable = process): void => {
  let closing = false
  const end = (): void => {
    if (closing) {
      if (host.exitCode !== brokenPipe) host.exit(1)
      return
    }
    closing = true
    close().then(
      () => host.exit(),
      () => host.exit(1),
    )
  }
  host.on('SIGTERM', end)
  host.on('SIGINT', end)
}
