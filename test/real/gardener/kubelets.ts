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
/** The node controller of a shoot expects a report every 40 seconds. */
const reportsAfterMs = 10_000

interface KubeletMachine {
  readonly providerId: string
  readonly joinsAt: number
  /** Undefined: it has not joined. */
  ready: 'True' | 'Unknown' | undefined
  reportedAt: number
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
      const { providerId, joinsAt, ready, reportedAt } = machine
      const now = cloud.powerOf(providerId) === 'on' ? 'True' : 'Unknown'
      const isDue = performance.now() >= reportedAt + reportsAfterMs
      if ((now === ready && !isDue) || performance.now() < joinsAt) continue
      machine.ready = now
      machine.reportedAt = performance.now()
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
        const joinsAt = performance.now() + joinsAfterMs
        machines.set(nodeName, { providerId, joinsAt, ready: undefined, reportedAt: 0 })
        return made
      },
    },
    close: async () => {
      ended.abort()
      await beating
    },
  }
}
