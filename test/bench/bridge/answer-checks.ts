import { systemClock } from '../../../shared/clock/clock.ts'
import { monitoredKinds } from '../../../shared/contract/health.ts'
import { type KindName, kindNames } from '../../../shared/contract/kinds.ts'
import { runHealthCheck, successful } from '../../../shared/health/health.ts'
import type { Kubernetes } from '../../../shared/kubernetes/kubernetes.ts'
import { createLog } from '../../../shared/log/log.ts'
import type { Sink } from '../../bridge/sink.ts'

/**
 * Answers health check events as functions do, and always finds the object healthy: reads the conditions and writes
 * them when they are old. `answered` counts them.
 */
export const answerChecks = (sink: Sink, kubernetes: Kubernetes): { readonly answered: () => number } => {
  const log = createLog({ level: 'warn', name: 'bench' })
  let answered = 0
  sink.answer = (response, { type, kind, namespace, name, reason }) => {
    // A broker answers as soon as it has the event.
    response.writeHead(202).end()
    const known = kindNames.find(one => one === kind)
    if (known === undefined || !type.endsWith('.healthcheck')) return
    void check(known, { name, namespace, reason }).then(outcome => {
      if (outcome.kind === 'recorded') answered++
      else log.warn('a condition was not written', { kind, object: name, outcome: outcome.kind })
    })
  }
  const check = (
    kind: KindName,
    object: { readonly name: string; readonly namespace: string; readonly reason: string },
  ) =>
    runHealthCheck(
      {
        kubernetes,
        clock: systemClock,
        log,
        backend: { kind, types: ['test'] },
        definition: {
          conditions: [
            {
              type: monitoredKinds[kind]?.conditions[0] ?? '',
              checks: [{ name: 'well', run: async () => successful }],
            },
          ],
        },
      },
      object,
      new AbortController().signal,
    )
  return { answered: () => answered }
}
