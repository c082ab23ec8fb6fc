import type { Clock } from '../../shared/clock/clock.ts'
import { group } from '../../shared/contract/constants.ts'
import type { Kubernetes } from '../../shared/kubernetes/kubernetes.ts'
import type { Log } from '../../shared/log/log.ts'
import type { Selection } from '../core/core.ts'
import { createBridge } from '../create-bridge.ts'
import { createOutages } from '../observers/outages/outages.ts'
import { type DumpFormat, dumpText } from './dump.ts'

/**
 * Reads all selected objects once, as a bridge does after its start, and returns what it would send or wait for, as
 * text. Sends nothing. Rejects if the API server cannot be read within the time (ms), or knows none of the kinds: it is
 * another cluster, or is starting.
 */
export const readWaiting = async (options: {
  readonly kubernetes: Pick<Kubernetes, 'get' | 'list' | 'watch'>
  readonly clock: Clock
  readonly log: Log
  readonly selection: Selection
  readonly format: DumpFormat
  readonly limitMs: number
}): Promise<string> => {
  const { kubernetes, clock, log, selection, format, limitMs } = options
  const outages = createOutages(log, clock)
  const listed = new AbortController()
  let late = false
  let isServed = false
  const bridge = createBridge({
    kubernetes: {
      get: (resource, key, options) => kubernetes.get(resource, key, options),
      // A watch also sends the existing objects.
      watch: async function* (resource, query) {
        for await (const event of kubernetes.watch(resource, query)) {
          isServed ||= resource.group === group
          yield event
        }
      },
      list: async (resource, query) => {
        const page = await kubernetes.list(resource, query)
        isServed ||= resource.group === group
        return page
      },
    },
    clock,
    log,
    selection,
    source: '',
    // Health checks do not wait for anything.
    monitored: {},
    send: async () => ({ kind: 'retry', reason: 'nothing is sent' }),
    leadership: { leading: () => false, run: async () => undefined },
    observers: [outages, { event: ({ type }) => type === 'synced' && bridge.ready() && listed.abort() }],
  })
  const disarm = clock.after(limitMs, () => {
    late = true
    listed.abort()
  })
  await bridge.run(listed.signal)
  disarm()
  if (late) throw new Error(`cannot read from the API server within ${limitMs / 1000} s`)
  if (!isServed)
    throw new Error(`the API server has no kind of ${group}: it is another cluster, or it is starting`)
  return dumpText(bridge.waiting(), format, clock.now())
}
