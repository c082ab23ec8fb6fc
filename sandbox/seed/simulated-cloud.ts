import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { MachineCloud } from '../machine-controller/machine-controller.ts'
import type { SeedFunction } from './seed-function.ts'

/** The part of a simulated cloud that a seed needs. */
export interface SimulatedCloud {
  /** The connection that functions of its provider get when they run in this process. */
  readonly connection: unknown
  /**
   * Serves the cloud on 127.0.0.1. Port 0: the system chooses. Rejects with the system's error if the port is taken.
   */
  listen(options: { readonly port: number }): Promise<ListeningCloud>
  /** Returns the environment with which a function's process calls the cloud at a URL. */
  environment(url: string): Readonly<Record<string, string>>
  /** Calls the listener with each call of a function from now on. The returned function removes the listener. */
  onCall(listener: (call: CloudCall) => void): () => void
  /**
   * Returns the cloud's driver for the machine controller. `scale`: factor on real durations. Absent: the cloud has no
   * machines.
   */
  machines?(scale: number): MachineCloud
}

export interface ListeningCloud {
  readonly url: string
  close(): Promise<void>
}

/** The simulated clouds of a seed by provider name: the folders below `sandbox/providers/`. */
export type SimulatedClouds = Readonly<Record<string, SimulatedCloud>>

export interface CloudCall {
  readonly service: string
  readonly action: string
  /** The region of the call. Undefined: all regions. */
  readonly region: string | undefined
  /** Sensitive members are `***`. */
  readonly input: Readonly<Record<string, unknown>>
  /** True if the call changes nothing. */
  readonly isRead: boolean
  /** The subject of a changing call, each word after a space: ` A api.example.com → 203.0.113.10`. */
  readonly about: string
  /** Status and error code, such as `404 NoSuchKey`, or `connection dropped` without a response. */
  readonly answer: string
  /** The error code or another failure. Absent: the call succeeded. */
  readonly error?: string
  /** True if the call failed because the resource does not exist. A lookup before a creation is no failure. */
  readonly isNotThere: boolean
}

/** Returns the provider of a function: `aws` for `functions/aws/dnsrecord/function.ts`. */
export const providerOf = ({ file }: Pick<SeedFunction, 'file'>): string => basename(dirname(dirname(file)))

/**
 * Returns true if the provider of the function has a cloud: a `provider.ts` (`.js` if published) in
 * `sandbox/providers/<provider>` of the same project, or beside the functions of an author's provider. Functions of
 * other providers change only Kubernetes and get no connection.
 */
export const hasCloud = (fn: Pick<SeedFunction, 'file'>): boolean =>
  [`../../../sandbox/providers/${providerOf(fn)}/`, '../'].some(folder =>
    ['provider.ts', 'provider.js'].some(name => existsSync(new URL(folder + name, pathToFileURL(fn.file)))),
  )
