import { parseTimestamp } from '../../../shared/clock/clock.ts'
import type { Call, StepEntry } from '../../../shared/journal/journal.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { type SeedView, viewIdOf } from '../seed-view.ts'
import type { NodeState, TreeNode } from '../tree.ts'

/** The newest steps of an object that a tree shows. */
const mostSteps = 3

const outcomeStates: ReadonlyMap<string, NodeState> = new Map([
  ['succeeded', 'ok'],
  ['continues', 'ok'],
  ['failed', 'failed'],
  ['unrecorded', 'failed'],
])

export const stepState = ({ outcome }: StepEntry): NodeState => outcomeStates.get(outcome) ?? 'unknown'

/** Returns the newest recorded steps of an object, the oldest first. */
export const stepNodes = ({ steps = [] }: SeedView, object: KubernetesObject): readonly TreeNode[] => {
  const id = viewIdOf(object)
  return steps
    .filter(step => step.object === id)
    .slice(-mostSteps)
    .map(stepNode)
}

/** A read of something that does not exist is no failure: steps look before they create. */
export const isFailedCall = ({ error, status, write }: Call): boolean =>
  (error !== undefined || status === 'none' || Number(status) >= 400) && (write === true || status !== '404')

/** `ec2 CreateVpc: VpcLimitExceeded (503), request 1f2e`. */
export const failedCallText = ({ name, target, error, status, requestId }: Call): string =>
  `${name}${target === undefined ? '' : ` ${target}`}: ${error ?? 'failed'}${status === 'none' ? ', no answer' : ` (${status})`}${requestId === undefined ? '' : `, request ${requestId}`}`

const stepNode = (step: StepEntry): TreeNode => {
  const failed = step.calls.filter(isFailedCall)
  const counts = `${step.calls.length + (step.lost ?? 0)} calls${failed.length === 0 ? '' : `, ${failed.length} failed`}`
  const why = [...(step.reason === undefined ? [] : [step.reason]), ...failed.map(failedCallText)]
  const since = parseTimestamp(step.began)
  return {
    id: `step ${step.event} ${step.began}`,
    kind: 'step',
    title: `step ${step.operation} of ${step.function}`,
    state: stepState(step),
    detail: `${step.outcome}, ${Math.round(step.ms)} ms, ${counts}`,
    ...(since !== undefined && { since }),
    ...(why.length > 0 && { why: why.join('; ') }),
    children: [],
  }
}
