import type { Call } from '../../journal/journal.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { mostOfArgs } from './call-args.ts'

/** Maximum calls of a step in its report. */
export const mostCalls = 200
/** Maximum size of a report in characters. */
export const mostOfReport = 64 * 1024
/** For the fields of a report besides its calls, and the commas between them. */
const sizeOfRest = 4 * 1024

/** The calls of a running step, bounded in number and size. */
export interface OpenStep {
  readonly began: number
  /** Adds a call. A failure or a write takes the place of an earlier read if there is no room: it says more. */
  add(call: Call): void
  /** Notes a Secret that the step read or wrote. Its values are removed from the report. */
  note(secret: KubernetesObject): void
  /** Ends it. Later calls belong to no step. */
  end(): {
    readonly calls: readonly Call[]
    readonly lost: number
    readonly secrets: readonly KubernetesObject[]
  }
}

export const openStep = (began: number): OpenStep => {
  const calls: Call[] = []
  const secrets: KubernetesObject[] = []
  let size = sizeOfRest
  let lost = 0
  let isEnded = false

  const isFull = (call: Call) => calls.length >= mostCalls || size + sizeOf(call) > mostOfReport
  const makeRoom = (): boolean => {
    const index = calls.findIndex(isOnlyRead)
    const [removed] = index < 0 ? [] : calls.splice(index, 1)
    if (removed === undefined) return false
    size -= sizeOf(removed)
    lost++
    return true
  }

  return {
    began,
    add: call => {
      if (isEnded) return
      while (isFull(call)) {
        if (!isOnlyRead(call) && makeRoom()) continue
        lost++
        return
      }
      size += sizeOf(call)
      calls.push(call)
    },
    note: secret => {
      if (!isEnded) secrets.push(secret)
    },
    end: () => {
      isEnded = true
      return { calls, lost, secrets }
    },
  }
}

const isOnlyRead = ({ write, error }: Call): boolean => write !== true && error === undefined

/** Returns about the size of a report as JSON. */
export const sizeOfReport = ({ calls }: { readonly calls: readonly Call[] }): number =>
  calls.reduce((sum, call) => sum + sizeOf(call), 500)

/** About the size of a call as JSON. A fifth of its arguments are quotes, which are escaped. */
const sizeOf = ({ name, target = '', args = '', error = '', requestId = '' }: Call): number =>
  160 +
  name.length +
  target.length +
  Math.min(args.length, mostOfArgs) * 1.2 +
  error.length +
  requestId.length
