/** Longest time that ending may take, in ms; then the process goes whatever is left. */
const endLimitMs = 5_000

/** Resolves at Ctrl-C, or when the process is asked to end. Further signals do not cut the ending short. */
export const interrupted = (): Promise<void> =>
  new Promise(resolve => {
    const end = () => {
      resolve()
      setTimeout(() => {
        // Whose reader has gone ends with the code of that, however long its ending takes.
        process.exitCode ??= 1
        process.exit()
      }, endLimitMs).unref()
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
  })
