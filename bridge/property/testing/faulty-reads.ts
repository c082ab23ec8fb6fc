import type { Clock } from '../../../shared/clock/clock.ts'
import { ConnectionError, type Kubernetes, KubernetesError } from '../../../shared/kubernetes/kubernetes.ts'
import type { FakeKubernetes } from '../../testing/fake-kubernetes.ts'
import type { ServerFault } from './command.ts'

const reset = () => new ConnectionError('reset', { cause: undefined, sent: true })
const expired = () => new KubernetesError(410, 'Expired', 'too old resource version')

/** The reading half of a faulty API server. */
export interface FaultyReads {
  readonly port: Pick<Kubernetes, 'get' | 'list' | 'watch'>
  inflict(fault: ServerFault): void
  /** Ends all continuing faults. */
  heal(): void
}

export const faultyReads = ({ port, breakWatches, compact }: FakeKubernetes, clock: Clock): FaultyReads => {
  /** The errors of the next reads. */
  const failures: (() => Error)[] = []
  let isSilent = false
  let isSlow = false
  const failing = async <T>(act: () => Promise<T>): Promise<T> => {
    const failure = failures.shift()
    if (failure !== undefined) throw failure()
    return act()
  }
  return {
    port: {
      get: (...of) =>
        failing(async () => {
          if (isSlow) await clock.sleep(2_000)
          return port.get(...of)
        }),
      list: (...of) => failing(() => port.list(...of)),
      watch: async function* (resource, options = {}) {
        // An open silent watch sends nothing; a resumed one sends the missed changes.
        if (isSilent && !options.sendInitialEvents) {
          await new Promise((_, reject) => {
            options.signal?.addEventListener('abort', () => reject(options.signal?.reason), { once: true })
          })
        }
        yield* port.watch(resource, options)
      },
    },
    inflict: fault => {
      switch (fault) {
        case 'watches break':
          return breakWatches(reset())
        case 'watches expire':
          // The broken watch resumes only after a pause: by then its version has expired.
          breakWatches(reset())
          return compact()
        case 'reads fail':
          failures.push(reset, reset, () => new KubernetesError(500, 'InternalError', 'etcd'))
          return
        case 'lists expire':
          failures.push(expired)
          breakWatches(reset())
          return compact()
        case 'reads are slow':
          isSlow = true
          return
        case 'is silent':
          isSilent = true
          return breakWatches(reset())
      }
    },
    heal: () => {
      isSilent = false
      isSlow = false
      failures.length = 0
    },
  }
}
