import type { Clock } from '../../../shared/clock/clock.ts'
import { isRecord, recordOf, stringOf } from '../../../shared/decode/record-of.ts'
import { pods } from '../../../shared/kubernetes/core-resources.ts'
import {
  type Kubernetes,
  KubernetesError,
  type KubernetesObject,
  type Transport,
} from '../../../shared/kubernetes/kubernetes.ts'
import { listAll } from '../../../shared/kubernetes/list-all.ts'
import { urlBelow } from '../../url-below.ts'
import { type BridgeSource, type FollowBridgeOptions, followBridge } from './follow-bridge.ts'

/** The label of the bridge's pods in the manifests. */
const labelSelector = 'app=bridge'
/** A restarted bridge is a new pod. */
const intervalMs = 15_000
const usualPort = 8080

export const bridgeAt = (url: string): BridgeSource => ({
  name: new URL(url).host,
  open: async (path, signal) => {
    const { status, body } = await fetch(urlBelow(url, path), { signal })
    if (body === null) throw new Error('no body')
    return { status, body }
  },
})

/** Returns the bridge in a pod, through the API server: the right `get pods/proxy` is enough. */
const bridgeIn = (
  { metadata: { name, namespace = '' }, spec }: KubernetesObject,
  send: Transport,
): BridgeSource => {
  const containers = recordOf(spec).containers
  const ports = Array.isArray(containers) ? containers.flatMap(one => recordOf(one).ports ?? []) : []
  const port = ports.filter(isRecord).find(one => one.name === 'metrics')?.containerPort ?? usualPort
  return {
    name,
    open: (path, signal) =>
      send({
        method: 'GET',
        path: `/api/v1/namespaces/${namespace}/pods/${name}:${port}/proxy${path}`,
        headers: {},
        signal,
      }),
  }
}

/** Records the events and steps of all bridges in pods, also of later ones, until the signal aborts. */
export const followBridges = async (
  {
    kubernetes,
    send,
    namespace,
    clock,
    ...options
  }: FollowBridgeOptions & {
    readonly kubernetes: Pick<Kubernetes, 'list'>
    readonly send: Transport
    /** Default: all namespaces. */
    readonly namespace: string | undefined
    readonly clock: Clock
  },
  signal: AbortSignal,
): Promise<void> => {
  const followed = new Map<string, { readonly end: AbortController; readonly done: Promise<void> }>()
  let problem: string | undefined
  const report = (why: string): void => {
    if (why !== problem) options.recorder.gap(`events and steps: ${why}`)
    problem = why
  }
  while (!signal.aborted) {
    try {
      const found = await listAll(kubernetes, pods, {
        labelSelector,
        signal,
        ...(namespace !== undefined && { namespace }),
      })
      const running = found.filter(({ status }) => stringOf(recordOf(status).phase) === 'Running')
      if (running.length === 0)
        report('no running pod of the bridge was found. Give the address of the bridge with --bridge')
      const present = new Set(running.map(({ metadata }) => metadata.uid ?? metadata.name))
      for (const [uid, { end }] of followed) if (!present.has(uid)) end.abort()
      for (const pod of running) {
        const uid = pod.metadata.uid ?? pod.metadata.name
        if (followed.has(uid)) continue
        const end = new AbortController()
        const both = AbortSignal.any([signal, end.signal])
        followed.set(uid, { end, done: followBridge(bridgeIn(pod, send), { clock, ...options }, both) })
      }
    } catch (error) {
      if (signal.aborted) break
      report(
        error instanceof KubernetesError
          ? `pods cannot be listed (${error.status}), so the bridge is not found`
          : 'pods cannot be listed: no answer',
      )
    }
    await clock.sleep(intervalMs, signal).catch(() => {})
  }
  await Promise.all([...followed.values()].map(({ done }) => done))
}
