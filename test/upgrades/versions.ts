import { fileURLToPath } from 'node:url'

/** A version of this project whose data and programs are tested with this one. */
export interface Version {
  /** The folder of its data. */
  readonly name: string
  /** Undefined: the sources of this repository. */
  readonly commit: string | undefined
  readonly why: string
  /** The environment variable for the address of a process. */
  readonly addressVariable: string
  /** The program of the webhooks, relative to its sources. */
  readonly webhooks: string
  /** True if its webhooks answer paths with a proof. */
  readonly provesPaths: boolean
}

/** The sources of this repository. */
export const own: Version = {
  name: 'own',
  commit: undefined,
  why: 'this version',
  addressVariable: 'TRELLIS_ADDRESS',
  webhooks: 'functions/webhooks-main.ts',
  provesPaths: true,
}

/** The last two versions, oldest first. No version has a tag yet, so both are commits. */
export const earlier: readonly Version[] = [
  {
    name: '2026-11-23',
    commit: 'af534796ee8f25bdfd75449ae3642e1762b91fec',
    why: 'all kinds of AWS, before the state names its account and owner, and before a wait has a reason',
    addressVariable: 'TRELLIS_HOST',
    webhooks: 'webhook/main.ts',
    provesPaths: false,
  },
  {
    name: '2026-11-24',
    commit: '4504d1728126763cbe9123b8b2a615e5773eddeb',
    why: 'before a wait is written ahead of its success, and before journals',
    addressVariable: 'TRELLIS_ADDRESS',
    webhooks: 'functions/webhooks-main.ts',
    provesPaths: true,
  },
]

export const repository = fileURLToPath(new URL('../..', import.meta.url))

export const dataFolder = fileURLToPath(new URL('data', import.meta.url))
