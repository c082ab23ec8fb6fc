import { recordOf, stringOf } from '../../../shared/decode/record-of.ts'
import type { NodeState } from '../../observe/tree.ts'

interface ObjectState {
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
      return { state: 'working', why: about }
    default:
      return { state: 'unknown', why: about }
  }
}

const order: readonly NodeState[] = ['ok', 'gone', 'unknown', 'working', 'waiting', 'failed']

export const isWorse = (one: NodeState, other: NodeState): boolean =>
  order.indexOf(one) > order.indexOf(other)
