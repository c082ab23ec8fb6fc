import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse as parseYaml } from 'yaml'
import { besidePath } from '../beside/beside.ts'
import { parseCalls } from './call-lines.ts'

/*
 * The calls of the unpatched gardener-extension-provider-aws 2ff8d818 (v1.74-dev) to AWS (moto 5.2.1), and their
 * result. The cases in this folder are always available. The others are beside the repository (`isRecorded`).
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

const own = (file: string): string => join(import.meta.dirname, file)

const json = (file: string): unknown => JSON.parse(readFileSync(besidePath('golden', file), 'utf8'))

const yamlOr = (file: string, beside: string): unknown =>
  existsSync(own(file)) ? parseYaml(readFileSync(own(file), 'utf8')) : json(beside)

/** Returns true if a case such as `infrastructure/n1` can be read. */
export const isRecorded = (name: string): boolean =>
  existsSync(own(`${name}.calls`)) || existsSync(besidePath('golden', `${name}.calls.json`))

export const recordedCalls = (name: string): Phases =>
  existsSync(own(`${name}.calls`))
    ? (parseCalls(readFileSync(own(`${name}.calls`), 'utf8')) as Phases)
    : (json(`${name}.calls.json`) as Phases)

/**
 * The contents of the account afterwards, by the name of the list (`Vpcs`, `Subnets`), or by the call that returns it.
 */
export const recordedAccountOf = (name: string): unknown => yamlOr(`${name}.account.yaml`, `${name}.aws.json`)

/** Returns true if the object of a case can be read. */
export const isObjectRecorded = (name: string): boolean =>
  existsSync(own(`${name}.object.yaml`)) || existsSync(besidePath('golden', `${name}.cr.json`))

/** Returns the object after the extension has finished. */
export const recordedObjectOf = (name: string): unknown => yamlOr(`${name}.object.yaml`, `${name}.cr.json`)
