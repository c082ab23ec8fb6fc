import { type KubeConfig, Watch } from '@kubernetes/client-node'
import type {
  GroupVersionResource,
  KubernetesObject,
  WatchEvent,
  WatchOptions,
} from '../../../shared/kubernetes/kubernetes.ts'
import { clientNodeFailure, statusError } from './client-node-failure.ts'

interface Line {
  readonly type: string
  readonly object: KubernetesObject
}

const types = new Map([
  ['ADDED', 'added'],
  ['MODIFIED', 'modified'],
  ['DELETED', 'deleted'],
] as const)

/** The events of client-node's `Watch` in order. */
export async function* clientNodeWatch(
  config: KubeConfig,
  { group, version, plural }: GroupVersionResource,
  { namespace, signal, ...query }: WatchOptions,
): AsyncGenerator<WatchEvent> {
  signal?.throwIfAborted()
  const path = [
    group === '' ? '/api' : `/apis/${group}`,
    version,
    ...(namespace === undefined ? [] : ['namespaces', namespace]),
    plural,
  ].join('/')
  const match = query.sendInitialEvents === undefined ? {} : { resourceVersionMatch: 'NotOlderThan' }
  let lines: Line[] = []
  let ended: { readonly error: unknown } | undefined
  let arrived = Promise.withResolvers<void>()
  const end = (error: unknown) => {
    ended ??= { error }
    arrived.resolve()
  }
  const stop = () => end(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  const opened = new Watch(config).watch(
    path,
    { ...query, ...match },
    (type, object: KubernetesObject) => {
      lines.push({ type, object })
      arrived.resolve()
    },
    end,
  )
  opened.catch(end)
  try {
    for (;;) {
      await arrived.promise
      arrived = Promise.withResolvers()
      const ready = lines
      lines = []
      for (const line of ready) yield eventOf(line)
      if (ended === undefined || lines.length > 0) continue
      if (ended.error === null || ended.error === undefined) return
      throw clientNodeFailure(ended.error, `watch ${plural}`, signal)
    }
  } finally {
    signal?.removeEventListener('abort', stop)
    // The package returns the way to end a watch only after the response has begun.
    opened.then(controller => controller.abort()).catch(() => undefined)
  }
}

const eventOf = ({ type, object }: Line): WatchEvent => {
  const known = types.get(type as 'ADDED')
  if (known !== undefined) return { type: known, object }
  if (type === 'ERROR') throw statusError(500, object, {})
  const { resourceVersion = '', annotations } = object.metadata
  return {
    type: 'bookmark',
    resourceVersion,
    initialEventsEnd: annotations?.['k8s.io/initial-events-end'] === 'true',
  }
}
