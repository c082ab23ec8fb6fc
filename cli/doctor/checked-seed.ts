import type { Timestamp } from '../../shared/clock/clock.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { FunctionDefinition } from '../../shared/runtime/runtime.ts'
import type { ReadName } from './reads.ts'

/** What came of one list. `absent`: the API server knows no such kind. */
export type ReadOutcome =
  | {
      readonly kind: 'objects'
      readonly objects: readonly KubernetesObject[]
      /** False: there are more than are read. */
      readonly complete: boolean
    }
  | { readonly kind: 'absent' }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'failed'; readonly why: string }

/** One verb of one rule that an account of Trellis should have. */
export interface ExpectedRight {
  /** The ServiceAccount, in the namespace of Trellis. */
  readonly account: string
  readonly verb: string
  readonly group: string
  /** With the subresource: `dnsrecords/status`. */
  readonly resource: string
  /** Absent: in all of them. */
  readonly namespace?: string
  readonly name?: string
}

/** `allowed`: undefined where it could not be asked. */
export interface AskedRight extends ExpectedRight {
  readonly allowed: boolean | undefined
}

/** How the API server answered when it was asked for its version. */
export interface ServerFacts {
  /** `v1.34.1` */
  readonly version: string
  /** Of its Date header, in whole seconds. */
  readonly date: Timestamp | undefined
  /** By the clock of this machine, when the request went out and when the answer was there. */
  readonly askedAt: Timestamp
  readonly answeredAt: Timestamp
}

/** What of a definition decides how its Trigger and its Service should be. */
export type CheckedFunction = Pick<FunctionDefinition, 'name' | 'kind' | 'types' | 'classes'>

/** All that is known of a seed when it is checked. */
export interface CheckedSeed {
  /** Where Trellis is installed. */
  readonly namespace: string
  readonly server: ServerFacts
  readonly reads: Readonly<Record<ReadName, ReadOutcome>>
  readonly rights: readonly AskedRight[]
  /** All functions that this version has, deployed or not. */
  readonly functions: readonly CheckedFunction[]
}

/** The objects of a read; none where it was not to be had. */
export const objectsOf = (
  { reads }: Pick<CheckedSeed, 'reads'>,
  name: ReadName,
): readonly KubernetesObject[] => {
  const outcome = reads[name]
  return outcome.kind === 'objects' ? outcome.objects : []
}

/** The time by the API server's clock, else by that of this machine: leases and requests are written by it or beside it. */
export const serverNow = ({ server }: Pick<CheckedSeed, 'server'>): Timestamp =>
  server.date ?? server.answeredAt
