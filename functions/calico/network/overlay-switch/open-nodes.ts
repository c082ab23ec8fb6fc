import { openShoot } from '../../../../build/library/shoot.ts'
import type { Clock, Kubernetes } from '../../../../build/library/trellis.ts'

/** A client for the nodes in the API server of a shoot. */
export interface OpenedNodes {
  readonly kubernetes: Pick<Kubernetes, 'list'>
  readonly close: () => void
}

/** Opens the API server of the shoot with this namespace. Rejects if no kubeconfig is found. */
export type OpenNodes = (input: {
  readonly kubernetes: Pick<Kubernetes, 'get'>
  readonly namespace: string
  readonly clock: Clock
  readonly signal: AbortSignal
}) => Promise<OpenedNodes>

export const openNodes: OpenNodes = input => openShoot(input)
