import { accountFiles } from './cases.ts'
import { readStored } from './stored.ts'

/*
 * The calls of the unpatched gardener-extension-provider-aws 2ff8d818 (v1.74-dev) to AWS (moto 5.2.1), and their
 * result.
 */

/** A call in its wire format: with parameters (EC2, IAM), or with path and body. */
export interface RecordedCall {
  /** Milliseconds since the start of the phase. */
  readonly at: number
  /** Prefixed with the service's name unless it is EC2. */
  readonly action: string
  readonly error?: string
  /** The parameters of the request form. */
  readonly params?: Readonly<Record<string, string>>
  /** The method and path. */
  readonly http?: string
  readonly body?: string
}

/** The calls by phase: `create`, `idle1`, `delete`. */
export type Phases = Readonly<Record<string, readonly RecordedCall[]>>

export const recordedCalls = (name: string): Phases => readStored(`${name}.calls.json`) as Phases

/**
 * The contents of the account afterwards, by the name of the list (`Vpcs`, `Subnets`), or by the call that returns it.
 */
export const recordedAccountOf = (name: string): unknown => readStored(accountFiles[name] ?? name)

/** Returns the object after the extension has finished. */
export const recordedObjectOf = (name: string): unknown => readStored(`${name}.cr.json`)
