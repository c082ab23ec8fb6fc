import type { MachineCloud } from '../../../sandbox/machine-controller/machine-controller.ts'
import { nodes } from '../../../shared/kubernetes/core-resources.ts'
import type { Kubernetes } from '../../../shared/kubernetes/kubernetes.ts'

const readyOf = (status: 'True' | 'Unknown') => {
  const reason = status === 'True' ? 'KubeletReady' : 'NodeStatusUnknown'
  const now = new Date().toISOString()
  return [{ type: 'Ready', status, reason, lastHeartbeatTime: now, lastTransitionTime: now }]
}

/** A Node that exists before the machine controller knows its name would be one of a former machine. */
const joinsAfterMs = 2_000

interface KubeletMachine {
  readonly providerId: string
  readonly joinsAt: number
  /** Undefined: it has not joined. */
  ready: 'True' | 'Unknown' | undefined
}

export interface Kubelets {
  /** The cloud, with a kubelet on each machine that it creates. */
  readonly cloud: MachineCloud
  /** The user data of each machine, by its name. */
  readonly userData: ReadonlyMap<string, string>
  close(): Promise<void>
}

/**
 * Adds kubelets to a cloud. Each registers the Node of its machine with the shoot and reports it as ready. For a
 * machine that is gone, the Node becomes unknown, as the shoot's node controller would report it.
 */
export const kubeletsOf = (cloud: MachineCloud, shoot: Kubernetes): Kubelets => {
  const machines = new Map<string, KubeletMachine>()
  const userData = new Map<string, string>()
  const ended = new AbortController()
  const report = async (name: string, ready: 'True' | 'Unknown') => {
    await shoot.patch(nodes, { name }, { status: { conditions: readyOf(ready) } }, { subresource: 'status' })
  }
  const beat = async () => {
    for (const [name, machine] of machines) {
      const { providerId, joinsAt, ready } = machine
      const now = cloud.powerOf(providerId) === 'on' ? 'True' : 'Unknown'
      if (now === ready || performance.now() < joinsAt) continue
      machine.ready = now
      const spec = { providerID: providerId }
      if (ready === undefined && now === 'True')
        await shoot.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name }, spec })
      // The machine controller may have deleted it.
      await report(name, now).catch(() => machines.delete(name))
    }
  }
  const beats = async () => {
    while (!ended.signal.aborted) {
      await beat()
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  }
  const beating = beats()
  return {
    userData,
    cloud: {
      ...cloud,
      create: async (request, signal) => {
        userData.set(request.name, request.secret.userData ?? '')
        const made = await cloud.create(request, signal)
        const { nodeName, providerId } = made
        machines.set(nodeName, { providerId, joinsAt: performance.now() + joinsAfterMs, ready: undefined })
        return made
      },
    },
    close: async () => {
      ended.abort()
      await beating
    },
  }
}
