import type { Clock, Timestamp } from '../../../shared/clock/clock.ts'
import type { Machine } from '../../../shared/contract/objects.ts'
import type { MachineDurations } from '../durations.ts'
import type { Power } from '../machine-cloud.ts'
import type { NodeFault } from './node-fault.ts'
import type { Nodes, ShootNode } from './nodes.ts'

/** Creates Nodes for the instances of Machines: imitates kubelets and the node controller of a shoot. */
export interface Kubelets {
  /** Adds the instance of a Machine with the name of its Node. Known instances are not changed. */
  follow(machine: Machine, instance: KubeletInstance): void
  /** Removes the instance of a deleted Machine. */
  forget(uid: string): void
}

export interface KubeletInstance {
  readonly namespace: string
  readonly providerId: string
  readonly nodeName: string
  /** The labels, annotations and taints that the Node gets from its Machine when it joins. */
  readonly template: ShootNode['template']
  /** Called at each beat. */
  readonly power: () => Power
  readonly fault: () => NodeFault | undefined
}

interface Kubelet extends KubeletInstance {
  readonly joinsAt: Timestamp
  joined: boolean
}

export interface KubeletOptions {
  readonly nodes: Nodes
  readonly clock: Clock
  readonly durations: MachineDurations
  readonly signal: AbortSignal
}

export const createKubelets = ({ nodes, clock, durations, signal }: KubeletOptions): Kubelets => {
  const kubelets = new Map<string, Kubelet>()
  let cancelBeat: (() => void) | undefined
  signal.addEventListener('abort', () => cancelBeat?.())

  const report = (kubelet: Kubelet): void => {
    const { namespace, nodeName: name, providerId } = kubelet
    const fault = kubelet.fault()
    const power = kubelet.power()
    const reports = power === 'on' && fault !== 'never-joins' && fault !== 'not-ready'
    const node = nodes.get(namespace, name)
    const now = clock.now()
    if (!kubelet.joined) {
      if (!reports || now < kubelet.joinsAt) return
      kubelet.joined = true
      nodes.put(namespace, {
        name,
        providerId,
        ready: 'True',
        readySince: now,
        unschedulable: false,
        terminating: undefined,
        ...(kubelet.template && { template: kubelet.template }),
      })
      return
    }
    // The Node was deleted, or another instance has its name now.
    if (node?.providerId !== providerId) return
    // The shoot's cloud controller deletes Nodes that do not report and have no machine.
    if (power === 'gone' && node.ready === 'Unknown') {
      nodes.remove(namespace, name)
      return
    }
    const ready = reports ? 'True' : 'Unknown'
    if (node.ready !== ready) nodes.put(namespace, { ...node, ready, readySince: now })
  }

  /** Beats run only while there are kubelets. */
  const nextBeat = (milliseconds: number): void => {
    if (cancelBeat !== undefined || kubelets.size === 0 || signal.aborted) return
    cancelBeat = clock.after(milliseconds, () => {
      cancelBeat = undefined
      for (const kubelet of kubelets.values()) report(kubelet)
      nextBeat(durations.kubeletBeat)
    })
  }

  return {
    follow: (machine, instance) => {
      const { uid = '' } = machine.metadata
      if (kubelets.has(uid)) return
      // The Node of an instance that ran before this controller started already exists.
      const ran = ['Running', 'Unknown'].includes(machine.status?.currentStatus?.phase ?? '')
      const joinsAt = clock.now() + (ran ? 0 : durations.nodeJoins)
      const kubelet = { ...instance, joinsAt, joined: false }
      kubelets.set(uid, kubelet)
      report(kubelet)
      nextBeat(durations.kubeletBeat)
    },
    forget: uid => {
      kubelets.delete(uid)
      if (kubelets.size > 0) return
      cancelBeat?.()
      cancelBeat = undefined
    },
  }
}
