/** The longest shutdown, in ms; then the process exits in any case. */
const endLimitMs = 5_000

/** Resolves at Ctrl-C or SIGTERM. Further signals do not shorten the shutdown. */
export const interrupted = (): Promise<void> =>
  new Promise(resolve => {
    const end = () => {
      resolve()
      setTimeout(() => {
        // After a closed pipe, the process exits with that code, however long the shutdown takes.
        process.exitCode ??= 1
        process.exit()
      }, endLimitMs).unref()
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
  })
