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
import { type ManagedSecret, newestOf, secretText } from './managed-secret.ts'
import { isNotYetValid } from './not-yet-valid.ts'
import { rotationTime } from './rotation-time.ts'
import type { SecretStore } from './secret-store.ts'

/** A CA, the previous one while it is valid, and the bundle of both. */
export interface Authority {
  readonly current: ManagedSecret
  readonly old: ManagedSecret | undefined
  readonly bundle: ManagedSecret
  /** True if the old CA is valid only because the new one is not trusted yet. */
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
  /**
   * Returns true if clients that check certificates of a new CA know its bundle. `isLate`: the time of the old CA has
   * passed.
   */
  readonly isTrusted: (authority: string, bundle: ManagedSecret, isLate: boolean) => boolean
}

export interface Generation {
  /** All Secrets of the identity that existed before. */
  readonly present: readonly ManagedSecret[]
  /** By config name. */
  readonly authorities: ReadonlyMap<string, Authority>
  readonly certificates: ReadonlyMap<string, ManagedSecret>
  readonly passwords: ReadonlyMap<string, ManagedSecret>
  readonly created: readonly string[]
  /** Names of the Secrets that replaced unusable ones. */
  readonly replaced: readonly string[]
  /** Configs with a certificate by the old CA until the new one is trusted. */
  readonly awaitingTrust: readonly string[]
}

/**
 * Creates missing Secrets: CAs and their bundles first, then the others, each in the order of the configs. The name of
 * each Secret is derived from its purpose. An interrupted run can therefore be continued, and two concurrent runs
 * create the same Secrets.
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
      secretText(secret, 'ca.crt'),
    )
    const bundle = await ensure(desiredBundle(config.name, certificates, identity), async () => ({
      'bundle.crt': certificates.map(pem => (pem.endsWith('\n') ? pem : `${pem}\n`)).join(''),
    }))
    return { current, old, bundle, isOldLate: isLate(config, current) }
  }

  const oldCounts = (config: AuthorityConfig, current: ManagedSecret, old: ManagedSecret): boolean => {
    if (rotation?.ignoresOld || (factsOf(old)?.notAfter ?? now) < now) return false
    if (isNotYetValid(old, now)) return false
    // Clients that trust only the old CA would refuse the first certificate by the new one, whatever its age.
    return !isLate(config, current) || configs.some(one => isHeld(one, config, current, old))
  }

  /** Returns true if the time of the previous CA has passed. */
  const isLate = ({ ignoreOldAfterMs }: AuthorityConfig, current: ManagedSecret): boolean =>
    ignoreOldAfterMs !== undefined && now >= (factsOf(current)?.notBefore ?? now) + ignoreOldAfterMs

  /** Returns true if a certificate has waited for the new CA since that CA was created. */
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
    if (authority === undefined) throw new Error(`cannot generate ${config.name}: its CA ${ca} has no config`)
    const { current, old, bundle, isOldLate } = authority
    if (old === undefined) return current
    if (useOf(config) === 'old') return old
    // An existing certificate was created when the new CA was trusted.
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

/** Starts to create this many key pairs at once for missing Secrets, because keys take longer than everything else. */
const keysAhead = (createKeyPair: CreateKeyPair, count: number): CreateKeyPair => {
  const begun = Array.from({ length: count }, () => createKeyPair())
  // If another step fails first, the failure of an unused key pair is ignored.
  for (const keys of begun) keys.catch(() => undefined)
  return async (): Promise<KeyPairKeyObjectResult> => (await begun.shift()) ?? createKeyPair()
}
