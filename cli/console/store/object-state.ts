import { annotations } from '../../../shared/contract/constants.ts'
import { parseStepAnnotation } from '../../../shared/contract/step-annotation.ts'
import { recordOf, stringOf } from '../../../shared/decode/record-of.ts'
import type { NodeState } from '../../observe/observe.ts'

export interface ObjectState {
  readonly state: NodeState
  readonly why?: string
}

/** Returns the state of an extension object by its last operation. Undefined: it has no operations. */
export const objectState = (object: unknown): ObjectState | undefined => {
  const { metadata, status } = recordOf(object)
  const { lastOperation, lastError } = recordOf(status)
  if (lastOperation === undefined) return undefined
  const operation = recordOf(lastOperation)
  const [why = ''] = stringOf(recordOf(lastError).description).split('\n')
  const about = `${stringOf(operation.type)} ${stringOf(operation.state)}`
  switch (operation.state) {
    case 'Succeeded':
      return { state: recordOf(metadata).deletionTimestamp === undefined ? 'ok' : 'working' }
    case 'Error':
    case 'Failed':
      return { state: 'failed', why: why || about }
    case 'Processing':
    case 'Pending':
      return waitOf(metadata) ?? { state: 'working', why: about }
    default:
      return { state: 'unknown', why: about }
  }
}

/** A step that has ended and waits for another object or for time. */
const waitOf = (metadata: unknown): ObjectState | undefined => {
  const step = parseStepAnnotation(stringOf(recordOf(recordOf(metadata).annotations)[annotations.step]))
  if (step?.phase !== 'waiting') return undefined
  return { state: 'waiting', why: step.waitsFor === undefined ? 'waits' : `waits for ${step.waitsFor}` }
}

const order: readonly NodeState[] = ['ok', 'gone', 'unknown', 'working', 'waiting', 'failed']

export const isWorse = (one: NodeState, other: NodeState): boolean =>
  order.indexOf(one) > order.indexOf(other)
