import type { ChildProcess } from 'node:child_process'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Kills a child when the command gets a signal that ends it, and lets the signal end the command. A child in a busy
 * loop notices neither the signal nor the closed channel, and would run forever.
 */
export const endWithCommand = (
  child: Pick<ChildProcess, 'kill' | 'once'>,
  command: Pick<NodeJS.Process, 'on' | 'off' | 'kill' | 'pid'> = process,
): void => {
  const release = () => {
    for (const signal of signals) command.off(signal, end)
  }
  const end = (signal: NodeJS.Signals) => {
    release()
    child.kill('SIGKILL')
    command.kill(command.pid, signal)
  }
  for (const signal of signals) command.on(signal, end)
  child.once('exit', release)
}
