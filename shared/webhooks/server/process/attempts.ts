import { refusalAdvice } from '../../../kubernetes/kubernetes.ts'
import type { Log } from '../../../log/log.ts'
import { messageOf } from '../../../text/message-of.ts'

/** Runs work for one component. A failure does not stop other components. Resolves to false if it failed. */
export type ComponentWork = (what: string, component: string, work: () => Promise<void>) => Promise<boolean>

/** Logs the first of several failures as a warning, and shows whether a component fails. */
export const createAttempts = (
  log: Log,
  showFailing: (component: string, isFailing: boolean) => void,
): ComponentWork => {
  const failing = new Set<string>()
  return async (what, component, work) => {
    const id = `${what} ${component}`
    try {
      await work()
      failing.delete(id)
      showFailing(
        component,
        [...failing].some(other => other.endsWith(` ${component}`)),
      )
      return true
    } catch (error) {
      log[failing.has(id) ? 'debug' : 'warn'](`${what} failed`, {
        component,
        error: messageOf(error),
        advice: refusalAdvice(error),
      })
      failing.add(id)
      showFailing(component, true)
      return false
    }
  }
}
