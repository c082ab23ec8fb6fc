import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { MachineCloud } from '../machine-controller/machine-controller.ts'
import type { SeedFunction } from './seed-function.ts'

/** A cloud in memory, as far as a seed needs it. */
export interface SimulatedCloud {
  /** What the functions of its provider are created with, so that they reach it inside of this process. */
  readonly connection: unknown
  /** Serves it on 127.0.0.1; port 0: the system chooses. Rejects with the system's error for a port that is taken. */
  listen(options: { readonly port: number }): Promise<ListeningCloud>
  /** What a function's process finds in its environment, so that it calls the cloud at a URL. */
  environment(url: string): Readonly<Record<string, string>>
  /** Calls the listener with every call of a function from now on; the returned function ends that. */
  onCall(listener: (call: CloudCall) => void): () => void
  /** The driver of the machine controller for it, whose time takes so much of the real one. Absent: no machine can be had. */
  machines?(scale: number): MachineCloud
}

export interface ListeningCloud {
  readonly url: string
  close(): Promise<void>
}

/** The simulated clouds of a seed, by the names of their providers: the folders below `functions/`. */
export type SimulatedClouds = Readonly<Record<string, SimulatedCloud>>

/** A call of a cloud, told by its provider. */
export interface CloudCall {
  readonly service: string
  readonly action: string
  /** Where; undefined: everywhere. */
  readonly region: string | undefined
  /** Sensitive members are `***`. */
  readonly input: Readonly<Record<string, unknown>>
  /** Whether it changes nothing. */
  readonly isRead: boolean
  /** What a call that changes something is about, each word after a space: ` A api.example.com → 203.0.113.10`. */
  readonly about: string
  /** Status and error's code, as `404 NoSuchKey`; `connection dropped` where there was no answer. */
  readonly answer: string
  /** The error's code, or what else went wrong; absent: it succeeded. */
  readonly error?: string
  /** It failed since what it asks for is not there: to look for something that is yet to be made is no failure. */
  readonly isNotThere: boolean
}

/** The provider that a function belongs to: `aws` for `functions/aws/dnsrecord/function.ts`. */
export const providerOf = ({ file }: Pick<SeedFunction, 'file'>): string => basename(dirname(dirname(file)))

/**
 * Whether its provider has a cloud: a `provider.ts` beside its folder, or `.js` where it is published. The function of another
 * provider changes Kubernetes alone and gets no connection.
 */
export const hasCloud = ({ file }: Pick<SeedFunction, 'file'>): boolean =>
  ['provider.ts', 'provider.js'].some(name => existsSync(join(dirname(dirname(file)), name)))
