import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse as parseYaml } from 'yaml'
import { besidePath } from '../beside/beside.ts'
import { parseCalls } from './call-lines.ts'

/*
 * What gardener-extension-provider-aws 2ff8d818 (v1.74-dev), unpatched, sent to AWS (moto 5.2.1) and left behind. The
 * cases of this folder are always there; the others lie beside the repository (`isRecorded`).
 */

/** A call as it went over the wire: by its parameters (EC2, IAM), or by path and body. */
export interface RecordedCall {
  /** Milliseconds since the phase began. */
  readonly at: number
  /** With the service's name before it, unless it is EC2. */
  readonly action: string
  readonly error?: string
  /** As they stand in the form. */
  readonly params?: Readonly<Record<string, string>>
  /** Method and path. */
  readonly http?: string
  readonly body?: string
}

/** The calls by phase: `create`, `idle1`, `delete`. */
export type Phases = Readonly<Record<string, readonly RecordedCall[]>>

const own = (file: string): string => join(import.meta.dirname, file)

const json = (file: string): unknown => JSON.parse(readFileSync(besidePath('golden', file), 'utf8'))

const yamlOr = (file: string, beside: string): unknown =>
  existsSync(own(file)) ? parseYaml(readFileSync(own(file), 'utf8')) : json(beside)

/** Whether a case such as `infrastructure/n1` can be read. */
export const isRecorded = (name: string): boolean =>
  existsSync(own(`${name}.calls`)) || existsSync(besidePath('golden', `${name}.calls.json`))

export const recordedCalls = (name: string): Phases =>
  existsSync(own(`${name}.calls`))
    ? (parseCalls(readFileSync(own(`${name}.calls`), 'utf8')) as Phases)
    : (json(`${name}.calls.json`) as Phases)

/** What was in the account afterwards: by the name of the list (`Vpcs`, `Subnets`), or by the call that tells it. */
export const recordedAccountOf = (name: string): unknown => yamlOr(`${name}.account.yaml`, `${name}.aws.json`)

/** The object after the extension was done with it. */
export const recordedObjectOf = (name: string): unknown => yamlOr(`${name}.object.yaml`, `${name}.cr.json`)
