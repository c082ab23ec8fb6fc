/** The used part of `process`. `send` exists if another process started this one with a channel (Node's IPC). */
export interface ChildOfProcess {
  send?(message: { readonly port: number }): unknown
  once(event: 'disconnect', listener: () => void): unknown
  emit(signal: 'SIGTERM', name: 'SIGTERM'): boolean
}

/**
 * Reports the port to the process that started this one, and ends like at SIGTERM when that process has ended. Does
 * nothing without a channel to it.
 */
export const reportPort = (port: number, host: ChildOfProcess = process): void => {
  if (host.send === undefined) return
  host.once('disconnect', () => host.emit('SIGTERM', 'SIGTERM'))
  host.send({ port })
}
