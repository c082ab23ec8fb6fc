import type { Timestamp } from '../../shared/clock/clock.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { FunctionDefinition } from '../../shared/runtime/runtime.ts'
import type { ReadName } from './reads.ts'

/** The result of one list. `absent`: the API server does not know the kind. */
export type ReadOutcome =
  | {
      readonly kind: 'objects'
      readonly objects: readonly KubernetesObject[]
      /** False if there are more objects than were read. */
      readonly complete: boolean
    }
  | { readonly kind: 'absent' }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'failed'; readonly why: string }

/** One verb of one rule that an account of Trellis should have. */
export interface ExpectedRight {
  /** The ServiceAccount in Trellis's namespace. */
  readonly account: string
  readonly verb: string
  readonly group: string
  /** Includes the subresource: `dnsrecords/status`. */
  readonly resource: string
  /** Default: all namespaces. */
  readonly namespace?: string
  readonly name?: string
}

/** `allowed`: undefined if it could not be checked. */
export interface AskedRight extends ExpectedRight {
  readonly allowed: boolean | undefined
  /** True if the API server checks no permissions, as that of a sandbox. Default: false. */
  readonly unchecked?: boolean
}

/** The API server's answer to a version request. */
export interface ServerFacts {
  /** `v1.34.1` */
  readonly version: string
  /** From its Date header, in whole seconds. */
  readonly date: Timestamp | undefined
  /** The times of the request and of the answer, by the clock of this machine. */
  readonly askedAt: Timestamp
  readonly answeredAt: Timestamp
}

/** The part of a definition that determines its Trigger and its Service. `types`: the routes of a secondary one. */
export type CheckedFunction = Pick<FunctionDefinition, 'name' | 'kind' | 'types' | 'classes'>

/** The effect of a test event on a Service without pods. `unknown`: it could not be sent, or has no visible effect. */
export type WakeResult =
  | { readonly kind: 'started'; readonly afterMs: number }
  | { readonly kind: 'failed' | 'unknown'; readonly why: string }

export interface CheckedSeed {
  /** The version of this command. */
  readonly version: string
  /** The namespace of Trellis. */
  readonly namespace: string
  readonly server: ServerFacts
  readonly reads: Readonly<Record<ReadName, ReadOutcome>>
  readonly rights: readonly AskedRight[]
  /** All functions of this version, deployed or not. */
  readonly functions: readonly CheckedFunction[]
  /** The effects of test events by Service. Default: none was sent. */
  readonly woken?: ReadonlyMap<string, WakeResult>
}

/** Returns the objects of a read; empty if it failed. */
export const objectsOf = (
  { reads }: Pick<CheckedSeed, 'reads'>,
  name: ReadName,
): readonly KubernetesObject[] => {
  const outcome = reads[name]
  return outcome.kind === 'objects' ? outcome.objects : []
}

/**
 * Returns the time by the API server's clock, else by that of this machine: leases and requests use the server's clock
 * or one close to it.
 */
export const serverNow = ({ server }: Pick<CheckedSeed, 'server'>): Timestamp =>
  server.date ?? server.answeredAt

/** Returns true if the API server has answered no list: then it is known to answer, and nothing else is known. */
export const hasReadNothing = ({ reads }: Pick<CheckedSeed, 'reads'>): boolean =>
  Object.values(reads).every(({ kind }) => kind !== 'objects')
