/** The exit code that a shell reports for SIGPIPE: 128 + 13. */
export const brokenPipe = 141

/** The parts of `process` that decide how it ends. */
export interface EndingProcess {
  exitCode?: number | string | null | undefined
  readonly stdout: NodeJS.EventEmitter
  readonly stderr: NodeJS.EventEmitter
  /** Calls the listeners of a signal. Returns false if there are none. */
  emit(signal: 'SIGTERM', name: 'SIGTERM'): boolean
  exit(): void
}

/**
 * Ends the process silently with the code of SIGPIPE when the reader of its output has gone (`trellis crds | head -1`),
 * as other programs do. A command that needs to clean up gets a SIGTERM instead.
 *
 * @param options.survivesFullDisk lines for a full disk are lost, and the process continues
 */
export const endWithOutput = (process: EndingProcess, { survivesFullDisk = false } = {}): void => {
  let ending = false
  const end = (error: NodeJS.ErrnoException): void => {
    if (survivesFullDisk && error.code === 'ENOSPC') return
    if (error.code !== 'EPIPE') throw error
    if (ending) return
    ending = true
    process.exitCode = brokenPipe
    if (!process.emit('SIGTERM', 'SIGTERM')) process.exit()
  }
  process.stdout.on('error', end)
  process.stderr.on('error', end)
}
