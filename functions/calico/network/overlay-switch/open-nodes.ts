import type { Clock } from '../../../../shared/clock/clock.ts'
import type { Kubernetes } from '../../../../shared/kubernetes/kubernetes.ts'
import { openShoot } from '../../../../shared/shoot/shoot.ts'

/** The API server of a shoot, as far as its nodes are concerned. */
export interface OpenedNodes {
  readonly kubernetes: Pick<Kubernetes, 'list'>
  readonly close: () => void
}

/** Reaches the API server of the shoot whose namespace it is. Rejects when nothing says how. */
export type OpenNodes = (input: {
  readonly kubernetes: Pick<Kubernetes, 'get'>
  readonly namespace: string
  readonly clock: Clock
  readonly signal: AbortSignal
}) => Promise<OpenedNodes>

export const openNodes: OpenNodes = input => openShoot(input)
