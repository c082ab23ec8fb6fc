import type { V1Container } from '@kubernetes/client-node'
import type { RunningContainer } from '../container/start-container.ts'
import type { StartedContainer } from './container-life.ts'
import type { Node } from './node.ts'
import type { Pod } from './pod.ts'

/** Returns true if a Pod only has to look as if it ran: its programs are not here, and others wait for them. */
export const isIdle = ({ othersReady, image }: Node, { spec }: Pod): boolean =>
  othersReady && spec.containers.every(one => image(one.image ?? '') === undefined)

/** Returns the container without what could fail or could have an effect. */
export const withoutHandlers = ({ name, image }: V1Container): V1Container => ({
  name,
  ...(image !== undefined && { image }),
})

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
