import type { V1Container } from '@kubernetes/client-node'
import type { RunningContainer } from '../container/start-container.ts'
import type { StartedContainer } from './container-life.ts'
import type { Node } from './node.ts'
import type { Pod } from './pod.ts'

/** Returns true if a container only has to look as if it ran: its program is not here, and others wait for it. */
export const isIdle = (node: Pick<Node, 'othersReady' | 'image'>, { image = '' }: V1Container): boolean =>
  node.othersReady && node.image(image) === undefined

/** Returns the Pod with the volumes of the containers that run. Those of others may be of a kind that is not here. */
export const withUsedVolumes = (node: Pick<Node, 'othersReady' | 'image'>, pod: Pod): Pod => {
  const { volumes = [], containers, initContainers = [] } = pod.spec
  const mounts = [...initContainers, ...containers]
    .filter(one => !isIdle(node, one))
    .flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name))
  return { ...pod, spec: { ...pod.spec, volumes: volumes.filter(({ name }) => mounts.includes(name)) } }
}

/** Returns the container without what could fail or could have an effect. */
export const withoutHandlers = ({ name, image }: V1Container): V1Container => ({
  name,
  ...(image !== undefined && { image }),
})

/** Returns the container of a program of others without its liveness probe, which a busy machine would fail. */
export const withPatience = (node: Pick<Node, 'image'>, container: V1Container): V1Container => {
  const { livenessProbe: _, ...patient } = container
  return node.image(container.image ?? '')?.replaces === undefined ? container : patient
}

/** A container without a process. `ends`: it completes at once, as those do that come before others. */
export const startIdleContainer = (address: string, ends: boolean): StartedContainer => {
  const { promise, resolve } = Promise.withResolvers<number>()
  if (ends) resolve(0)
  const running: RunningContainer = {
    pid: () => undefined,
    signal: signal => {
      if (signal === 'TERM' || signal === 'KILL') resolve(0)
    },
    exec: async () => ({ code: 0, output: '' }),
    ended: promise,
  }
  return { running, address, release: async () => ({ outOfMemory: false }) }
}
