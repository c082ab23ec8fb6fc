import { nodeAddress } from '../machine/container/pod-network.ts'
import type { MachinePart } from '../machine/start-machine.ts'
import { startNetwork } from './network.ts'

/** The network of the cluster, at the address of the node. */
export const networkPart: MachinePart = async ({ kubernetes, log }) => {
  await startNetwork({ kubernetes, address: nodeAddress, log })
}
