import type { Log } from '../../shared/log/log.ts'

/** Returns true if there is no problem. Logs each problem once: a kubelet shows only the status of the answer. */
export const createReadiness = (log: Log, problem: () => string | undefined): (() => boolean) => {
  let known: string | undefined
  return () => {
    const why = problem()
    if (why !== known && why !== undefined) log.warn('not ready: events do not reach a function', { why })
    if (why === undefined && known !== undefined) log.info('ready again, events reach functions')
    known = why
    return why === undefined
  }
}
