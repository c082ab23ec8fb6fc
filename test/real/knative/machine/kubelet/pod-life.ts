import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { V1Container, V1PodStatus } from '@kubernetes/client-node'
import { KubernetesError } from '../../../../../shared/kubernetes/kubernetes.ts'
import { nodeAddress, type PodNamespace } from '../container/pod-network.ts'
import { type ContainerLife, startContainerLife } from './container-life.ts'
import { fieldValue } from './field-value.ts'
import {
  isIdle,
  startIdleContainer,
  withoutHandlers,
  withPatience,
  withUsedVolumes,
} from './idle-container.ts'
import type { Node } from './node.ts'
import { coreResource, type Pod } from './pod.ts'
import { readPodObjects } from './pod-objects.ts'
import { createTokens, removePod, requestToken } from './pod-requests.ts'
import { createPodRoom, type PodRoom } from './pod-room.ts'
import { podStatus } from './pod-status.ts'
import { startPodContainer } from './start-pod-container.ts'

/** The life of a Pod on the node, until it is removed from the API server. */
export interface PodLife {
  /** The stored Pod has changed. */
  update(pod: Pod): void
  /** The Pod no longer exists. Its processes are killed. */
  kill(): void
  containers(): readonly ContainerLife[]
  readonly done: Promise<void>
}

/** The wait between two attempts to write or to read. */
const retryMs = 500
/** A kubelet takes up to a minute. */
const refreshMs = 10_000

export const startPodLife = (node: Node, first: Pod): PodLife => {
  const { clock, log, kubernetes } = node
  const { namespace, name, uid } = first.metadata
  const object = `${namespace}/${name}`
  const startTime = new Date(clock.now())
  const ending = new AbortController()
  let pod = first
  let network: PodNamespace | undefined
  let initContainers: readonly ContainerLife[] = []
  let containers: readonly ContainerLife[] = []
  let gone = false

  /** Repeats `attempt` until it succeeds or the Pod ends. */
  const until = async <T>(what: string, attempt: () => Promise<T>): Promise<T | undefined> => {
    while (!ending.signal.aborted) {
      try {
        return await attempt()
      } catch (error) {
        log.info('pod waits', { object, what, error })
        await clock.sleep(retryMs, ending.signal).catch(() => {})
      }
    }
    return undefined
  }

  // The status.
  let reported: V1PodStatus | undefined
  let changes = 0
  const pending = (container: V1Container) => ({
    name: container.name,
    image: container.image ?? '',
    imageID: '',
    ready: false,
    started: false,
    restartCount: 0,
    state: { waiting: { reason: network ? 'PodInitializing' : 'ContainerCreating' } },
  })
  const statusesOf = (specs: readonly V1Container[] = [], lives: readonly ContainerLife[]) =>
    specs.map(spec => lives.find(life => life.name === spec.name)?.status() ?? pending(spec))
  const report = async (): Promise<void> => {
    const status = podStatus(
      {
        ...{ pod, node: nodeAddress, address: network?.address, startTime },
        initContainers: statusesOf(pod.spec.initContainers, initContainers),
        containers: statusesOf(pod.spec.containers, containers),
      },
      reported,
      new Date(clock.now()),
    )
    if (JSON.stringify(status) === JSON.stringify(reported)) return
    await kubernetes.patch(coreResource('pods'), { namespace, name }, { status }, { subresource: 'status' })
    reported = status
  }
  let reporting: Promise<void> | undefined
  /** Reports until no more change has happened meanwhile. */
  const changed = (): Promise<void> => {
    changes++
    reporting ??= (async () => {
      for (let seen = -1; seen !== changes && !gone; ) {
        seen = changes
        // Changes of one moment become one patch.
        await Promise.resolve()
        try {
          await report()
        } catch (error) {
          if (error instanceof KubernetesError && error.status === 404) return
          log.info('the status of a pod is not written', { object, error })
          changes++
          await clock.sleep(retryMs)
        }
      }
    })().finally(() => {
      reporting = undefined
    })
    return reporting
  }

  const lifeOf = (
    spec: V1Container,
    room: PodRoom,
    namespaceOfPod: PodNamespace,
    { restartPolicy, ends = false }: { readonly restartPolicy: string; readonly ends?: boolean },
  ) => {
    let attempt = 0
    const idle = isIdle(node, spec)
    return startContainerLife({
      container: idle ? withoutHandlers(spec) : withPatience(node, spec),
      restartPolicy,
      graceSeconds: pod.spec.terminationGracePeriodSeconds ?? 30,
      clock,
      delays: node.delays,
      start: async () => {
        if (idle) return startIdleContainer(namespaceOfPod.address, ends)
        await rm(join(room.folder, `${spec.name}-${attempt}`), { recursive: true, force: true })
        return startPodContainer(node, pod, spec, namespaceOfPod, room, ++attempt)
      },
      changed,
    })
  }

  /** Objects and tokens change while a Pod runs. */
  const refresh = async (fill: () => Promise<void>): Promise<void> => {
    for (;;) {
      await clock.sleep(refreshMs, ending.signal).catch(() => {})
      if (ending.signal.aborted) return
      await fill().catch(error => log.info('volumes are not refreshed', { object, error }))
    }
  }

  const begin = async (room: PodRoom): Promise<void> => {
    const added = await until('network', node.network.add)
    if (!added) return
    network = added
    const tokens = createTokens(
      (audience, seconds) => requestToken(kubernetes, pod, audience, seconds),
      clock,
    )
    const fill = async () =>
      room.fill({
        objects: await readPodObjects(kubernetes, pod),
        field: path => fieldValue(path, pod, { pod: added.address, node: nodeAddress }),
        token: tokens,
      })
    if (room.hasVolumes) {
      await until('volumes', fill)
      void refresh(fill)
    }
    const { restartPolicy = 'Always' } = pod.spec
    for (const spec of pod.spec.initContainers ?? []) {
      if (ending.signal.aborted) return
      const policy = restartPolicy === 'Never' ? 'Never' : 'OnFailure'
      const life = lifeOf(spec, room, added, { restartPolicy: policy, ends: true })
      initContainers = [...initContainers, life]
      await life.done
      if (life.status().state?.terminated?.exitCode !== 0) return
    }
    if (ending.signal.aborted) return
    // A Pod of a Job is to complete.
    const ends = restartPolicy !== 'Always'
    containers = pod.spec.containers.map(spec => lifeOf(spec, room, added, { restartPolicy, ends }))
  }

  const lives = () => [...initContainers, ...containers]

  const live = async (): Promise<void> => {
    const room = await createPodRoom(join(node.folder, 'pods', uid), withUsedVolumes(node, pod))
    const begun = begin(room).catch(error => log.error('pod does not start', { object, error }))
    await new Promise(resolve => ending.signal.addEventListener('abort', resolve, { once: true }))
    if (gone) for (const life of lives()) life.running()?.signal('KILL')
    const grace = gone ? 0 : (pod.metadata.deletionGracePeriodSeconds ?? 30)
    await Promise.all(lives().map(life => life.stop(grace)))
    await begun
    await Promise.all(lives().map(life => life.stop(grace)))
    if (!gone) await changed()
    await network?.remove()
    await room.remove()
    if (!gone) await removePod(node.transport, pod)
  }

  const update = (next: Pod) => {
    pod = next
    if (pod.metadata.deletionTimestamp !== undefined) ending.abort()
  }
  const done = live().catch(error => log.error('pod does not end', { object, error }))
  update(first)
  return {
    update,
    kill: () => {
      gone = true
      for (const life of lives()) life.running()?.signal('KILL')
      ending.abort()
    },
    containers: () => containers,
    done,
  }
}
