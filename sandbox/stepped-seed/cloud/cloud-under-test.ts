import type { Kubernetes, KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'

/** A thing in a cloud under test: a record, a network, an object in the API server. */
export interface TestThing {
  /** The same whenever the function creates it: `A api.example.com.`. Not a generated id. */
  readonly name: string
  /** Its owner, in the form that the cloud stores. Absent: it has none, or the cloud stores no owners. */
  readonly owner?: string
  /** The properties that the function decides, as plain data: no generated ids, no times. */
  readonly content: unknown
}

/** A call of the function to a cloud under test. */
export interface TestCall {
  /** `PATCH /zones/example.com.` */
  readonly name: string
  /** True if the call changes nothing. */
  readonly isRead: boolean
}

/** Passes on a call: `work` performs it. If it rejects, the function must get no response. */
export type PassCall = <T>(call: TestCall, work: () => Promise<T>) => Promise<T>

/**
 * A cloud under test: all that exists in it, and a way to stop the function at any call. Fakes over HTTP, simulators
 * and objects in the API server all satisfy it: `httpCloud`, `objectCloud`.
 */
export interface TestCloud {
  /** Returns all that exists, of every owner. `kubernetes`: a client of the seed's administrator. */
  things(kubernetes: Kubernetes): readonly TestThing[] | Promise<readonly TestThing[]>
  /** Creates a thing that belongs to its `owner`. Absent: the tests create no things of others. */
  add?(thing: TestThing, kubernetes: Kubernetes): void | Promise<void>
  /** Sends each later call of the function through `pass`. Absent: the function calls only the API server. */
  passCalls?(pass: PassCall): void
  /** Objects that the seed has from the start. Default: none. */
  readonly objects?: readonly KubernetesObject[]
  /** Values in plain text that replace those of the same keys in the seed's Secrets: the address of the cloud. */
  readonly secret?: Readonly<Record<string, string>>
  /** The `connection` that the function's `create` gets. Default: none. */
  readonly connection?: unknown
  close?(): void | Promise<void>
}
