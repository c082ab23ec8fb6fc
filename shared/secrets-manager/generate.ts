import type { KeyPairKeyObjectResult } from 'node:crypto'
import type { Timestamp } from '../clock/clock.ts'
import type { CaRotation } from './ca-rotation.ts'
import type { CreateKeyPair } from './certificates/key-pair.ts'
import type { AuthorityConfig, CertificateConfig, SecretConfig } from './config.ts'
import {
  desiredAuthority,
  desiredBundle,
  desiredCertificate,
  desiredPassword,
  factsOf,
} from './desired-secret.ts'
import { createEnsureSecret } from './ensure-secret.ts'
import { authorityData, certificateData, passwordData } from './make-data.ts'
import { type ManagedSecret, newestOf, textOf } from './managed-secret.ts'
import { isNotYetValid } from './not-yet-valid.ts'
import { rotationTime } from './rotation-time.ts'
import type { SecretStore } from './secret-store.ts'

/** A CA, the one before it as long as that counts, and the certificates of both. */
export interface Authority {
  readonly current: ManagedSecret
  readonly old: ManagedSecret | undefined
  readonly bundle: ManagedSecret
  /** Whether the old one counts only because the new one is not trusted yet. */
  readonly isOldLate: boolean
}

export interface GenerationInput {
  readonly store: SecretStore
  readonly namespace: string
  readonly identity: string
  readonly configs: readonly SecretConfig[]
  readonly rotation: CaRotation | undefined
  readonly now: Timestamp
  readonly createKeyPair: CreateKeyPair
  /** True: deletes and recreates an unreadable Secret. */
  readonly replacesUnreadable: boolean
  /** Whether those who check the certificates of a new CA know its bundle by now; `isLate`: the old one would count no longer. */
  readonly isTrusted: (authority: string, bundle: ManagedSecret, isLate: boolean) => boolean
}

export interface Generation {
  /** All Secrets of the identity that were there before. */
  readonly present: readonly ManagedSecret[]
  /** By the name of the config. */
  readonly authorities: ReadonlyMap<string, Authority>
  readonly certificates: ReadonlyMap<string, ManagedSecret>
  readonly passwords: ReadonlyMap<string, ManagedSecret>
  /** Names of the Secrets that were made. */
  readonly created: readonly string[]
  /** Names of the Secrets that replaced unusable ones. */
  readonly replaced: readonly string[]
  /** Configs whose certificate stays that of the old CA until the new one is trusted. */
  readonly awaitingTrust: readonly string[]
}

/**
 * Makes what is missing of the configs: CAs with their bundles first, then the others, each in the order of the configs.
 * Every Secret is found by a name that follows from what it is made for, so a generation that was cut short goes on where it
 * stopped, and two at the same time make one of each.
 */
export const generate = async (input: GenerationInput): Promise<Generation> => {
  const { store, namespace, identity, configs, rotation, now, createKeyPair, isTrusted } = input
  const { replacesUnreadable } = input
  const present = await store.list()
  const created: string[] = []
  const replaced: string[] = []
  const awaitingTrust: string[] = []
  const nextKeys = keysAhead(
    createKeyPair,
    configs.filter(({ kind, name }) => kind !== 'password' && present.every(({ config }) => config !== name))
      .length,
  )
  const { ensure, isUsable } = createEnsureSecret({
    store,
    namespace,
    present,
    now,
    created,
    replaced,
    replacesUnreadable,
  })
  const timeOf = (config: SecretConfig): string =>
    rotationTime({
      config,
      rotation,
      now,
      generations: present.filter(secret => secret.config === config.name),
    })

  const ensureAuthority = async (config: AuthorityConfig): Promise<Authority> => {
    const desired = desiredAuthority(config, timeOf(config), identity)
    const current = await ensure(desired, async () =>
      authorityData(config, desired.name, await nextKeys(), now),
    )
    const before = newestOf(
      present.filter(({ config: name, name: own }) => name === config.name && own !== current.name),
    )
    const old =
      before && oldCounts(config, current, before) && (await isUsable(before, desired)) ? before : undefined
    const certificates = [current, ...(old === undefined ? [] : [old])].map(secret =>
      textOf(secret, 'ca.crt'),
    )
    const bundle = await ensure(desiredBundle(config.name, certificates, identity), async () => ({
      'bundle.crt': certificates.map(pem => (pem.endsWith('\n') ? pem : `${pem}\n`)).join(''),
    }))
    return { current, old, bundle, isOldLate: isLate(config, current) }
  }

  const oldCounts = (config: AuthorityConfig, current: ManagedSecret, old: ManagedSecret): boolean => {
    if (rotation?.ignoresOld || (factsOf(old)?.notAfter ?? now) < now) return false
    if (isNotYetValid(old, now)) return false
    // Whoever trusts the old one alone would refuse the first certificate by the new one: how old that is says nothing of it.
    return !isLate(config, current) || configs.some(one => isHeld(one, config, current, old))
  }

  /** Whether the one before it counts no longer by its time. */
  const isLate = ({ ignoreOldAfterMs }: AuthorityConfig, current: ManagedSecret): boolean =>
    ignoreOldAfterMs !== undefined && now >= (factsOf(current)?.notBefore ?? now) + ignoreOldAfterMs

  /** Whether a certificate has waited for the new CA ever since that was made. */
  const isHeld = (
    config: SecretConfig,
    { name }: AuthorityConfig,
    current: ManagedSecret,
    old: ManagedSecret,
  ): boolean =>
    isSigned(config) &&
    config.signedBy.ca === name &&
    useOf(config) === 'current' &&
    isThere(config, old) &&
    !isThere(config, current)

  const signerOf = (config: CertificateConfig): ManagedSecret => {
    const { ca } = config.signedBy
    const authority = authorities.get(ca)
    if (authority === undefined)
      throw new Error(`generating ${config.name}: there is no config of its CA ${ca}`)
    const { current, old, bundle, isOldLate } = authority
    if (old === undefined) return current
    if (useOf(config) === 'old') return old
    // One that is there was made when the new CA was trusted.
    if (isThere(config, current) || isTrusted(ca, bundle, isOldLate)) return current
    awaitingTrust.push(config.name)
    return old
  }

  const isThere = (config: CertificateConfig, signer: ManagedSecret): boolean => {
    const { name } = desiredCertificate(config, signer, timeOf(config), identity)
    return present.some(secret => secret.name === name)
  }

  const authorities = new Map<string, Authority>()
  for (const config of configs)
    if (config.kind === 'ca') authorities.set(config.name, await ensureAuthority(config))

  const certificates = new Map<string, ManagedSecret>()
  const passwords = new Map<string, ManagedSecret>()
  for (const config of configs) {
    if (config.kind === 'ca') continue
    if (config.kind === 'password') {
      const desired = desiredPassword(config, timeOf(config), identity)
      passwords.set(config.name, await ensure(desired, async () => passwordData(config)))
      continue
    }
    const signer = signerOf(config)
    const secret = await ensure(desiredCertificate(config, signer, timeOf(config), identity), async () =>
      certificateData(config, signer, await nextKeys(), now),
    )
    certificates.set(config.name, secret)
  }
  return { present, authorities, certificates, passwords, created, replaced, awaitingTrust }
}

const isSigned = (config: SecretConfig): config is CertificateConfig =>
  config.kind !== 'ca' && config.kind !== 'password'

const useOf = ({ kind, signedBy }: CertificateConfig): 'current' | 'old' =>
  signedBy.use ?? (kind === 'client' ? 'current' : 'old')

/** Begins with so many key pairs at once, for what there is none of yet: they take longer than everything else. */
const keysAhead = (createKeyPair: CreateKeyPair, count: number): CreateKeyPair => {
  const begun = Array.from({ length: count }, () => createKeyPair())
  // One that is not needed any more, as something else has failed, fails for nobody.
  for (const keys of begun) keys.catch(() => undefined)
  return async (): Promise<KeyPairKeyObjectResult> => (await begun.shift()) ?? createKeyPair()
}
