/** As the shell tells the end of a program by SIGPIPE: 128 + 13. */
export const brokenPipe = 141

/** What of a process has to do with how it ends. */
export interface EndingProcess {
  exitCode?: number | string | null | undefined
  readonly stdout: NodeJS.EventEmitter
  readonly stderr: NodeJS.EventEmitter
  /** Calls those who listen for a signal; false when nobody does. */
  emit(signal: 'SIGTERM', name: 'SIGTERM'): boolean
  exit(): void
}

/**
 * Ends a process once nobody reads its output any more (`trellis crds | head -1`), as the system ends other programs
 * then: without a word, with the code of SIGPIPE. A command with something to put away is asked to end as by SIGTERM.
 */
export const endWithOutput = (process: EndingProcess): void => {
  let ending = false
  const end = (error: NodeJS.ErrnoException): void => {
    if (error.code !== 'EPIPE') throw error
    if (ending) return
    ending = true
    process.exitCode = brokenPipe
    if (!process.emit('SIGTERM', 'SIGTERM')) process.exit()
  }
  process.stdout.on('error', end)
  process.stderr.on('error', end)
}
