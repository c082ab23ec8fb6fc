import { formatSeconds } from '../../../shared/clock/clock.ts'
import type { Machine } from '../../../shared/contract/objects.ts'
import type { ShootNode } from './nodes.ts'

type Conditions = NonNullable<NonNullable<Machine['status']>['conditions']>

const readyTexts = {
  True: { reason: 'KubeletReady', message: 'kubelet is posting ready status' },
  Unknown: { reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.' },
} as const

const terminatingTexts = {
  ScaleDown: 'Machine Controller is scaling down machine',
  Unhealthy: 'Machine Controller is terminating failed machine',
} as const

export const nodeConditions = ({ ready, readySince, terminating }: ShootNode): Conditions => [
  {
    type: 'Ready',
    status: ready,
    ...readyTexts[ready],
    lastTransitionTime: formatSeconds(readySince),
  },
  ...(terminating === undefined
    ? []
    : [
        {
          type: 'Terminating',
          status: 'True',
          reason: terminating,
          message: terminatingTexts[terminating],
        },
      ]),
]
