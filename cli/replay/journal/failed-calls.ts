import type { CallFailure } from '../../../sandbox/providers/provider.ts'
import type { Call } from '../../../shared/journal/journal.ts'

/**
 * Returns the calls of a step to a cloud that failed, each with its place among the calls of its operation. A repeated
 * attempt is a call of its own, as it was in the step.
 */
export const failedCalls = (calls: readonly Call[]): readonly CallFailure[] => {
  const counts = new Map<string, number>()
  return calls.flatMap(({ to, name, status, error }) => {
    const [service, action] = name.split(' ')
    if (to !== 'cloud' || service === undefined || action === undefined) return []
    const nth = (counts.get(name) ?? 0) + 1
    counts.set(name, nth)
    if (error === undefined) return []
    return [{ service, action, nth, status: /^\d+$/.test(status) ? Number(status) : undefined, code: error }]
  })
}
