import type { Clock } from '../../../shared/clock/clock.ts'
import type { Transport } from '../../../shared/kubernetes/kubernetes.ts'
import { createApiServer, type EtcdBackup } from '../../kubernetes/kubernetes.ts'
import { looseDefinitions, type ShootCluster, type Shoots } from '../../resource-manager/resource-manager.ts'
import { processTransport } from '../process/process-transport.ts'
import { runningCode } from '../process/running-code.ts'
import type { Random } from '../random.ts'

/** The API servers of shoots, in memory. */
export interface SimulatedShoots extends Shoots {
  /** Returns the way of the running code to the API server of a host. Undefined: there is none. */
  transportOf(host: string): Transport | undefined
  /** Returns the objects of all shoots, by their namespace. */
  backUp(): ReadonlyMap<string, EtcdBackup>
}

const domain = '.shoot.invalid'

export const createSimulatedShoots = ({
  clock,
  random,
}: {
  readonly clock: Clock
  readonly random: Random
}): SimulatedShoots => {
  const shoots = new Map<string, ShootCluster>()
  const start = (namespace: string): ShootCluster => {
    const server = createApiServer({
      clock,
      deletionProtection: false,
      objects: looseDefinitions('shoot'),
      newUid: random.fork(`shoot ${namespace}`).uuid,
    })
    const url = `http://${namespace}${domain}`
    return { server, url, kubeconfig: server.kubeconfig(url) }
  }
  return {
    open: async namespace => {
      const known = shoots.get(namespace) ?? start(namespace)
      shoots.set(namespace, known)
      return known
    },
    transportOf: host => {
      const shoot = host.endsWith(domain) ? shoots.get(host.slice(0, -domain.length)) : undefined
      const process = runningCode.getStore()?.process
      if (shoot === undefined) return undefined
      const { transport } = shoot.server
      return process === undefined ? transport : processTransport(process, transport)
    },
    backUp: () => new Map([...shoots].map(([namespace, { server }]) => [namespace, server.backUp()])),
    close: async () => {
      for (const { server } of shoots.values()) server.close()
      shoots.clear()
    },
  }
}
