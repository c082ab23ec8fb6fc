import type { Clock } from '../clock/clock.ts'
import type { CaRotation } from './ca-rotation.ts'
import { type CreateKeyPair, createKeyPair as createRsaKeyPair } from './certificates/key-pair.ts'
import { cleanUp, isAuthority } from './clean-up.ts'
import type { SecretConfig } from './config.ts'
import { type Generation, generate } from './generate.ts'
import { secretLabels } from './labels.ts'
import { type ManagedSecret, newestOf } from './managed-secret.ts'
import { caChecksumOf } from './names/secret-name.ts'
import { createSecretStore, type SecretsKubernetes } from './secret-store.ts'

/** The owner of the Secrets, their place and their content. */
export interface SecretsManagerOptions {
  /** The cluster with the Secrets: the seed of a step, or any other. */
  readonly kubernetes: SecretsKubernetes
  readonly clock: Pick<Clock, 'now'>
  readonly namespace: string
  /**
   * The owner of the Secrets. Each controller and purpose needs a unique one (`provider-foo-controlplane`), because
   * unknown Secrets of the identity are removed.
   */
  readonly identity: string
  readonly configs: readonly SecretConfig[]
  /** The shoot's rotation, for all CAs (`caRotationOf`). Absent: each CA is renewed by its own validity. */
  readonly rotation?: CaRotation | undefined
  /** Default: RSA of 3072 bits. */
  readonly createKeyPair?: CreateKeyPair
  /**
   * True: deletes and recreates an unreadable Secret. Use it only if all Secrets belong to the process. Default: false,
   * which throws an error that names the Secret.
   */
  readonly replacesUnreadable?: boolean
  readonly signal?: AbortSignal
}

/** A Secret for its users. They mount it by name or read a certificate from it. */
export type GeneratedSecret = Pick<ManagedSecret, 'name' | 'data'>

/** A Secret and the CA that signed its certificate, if that CA still exists. */
export interface ReadSecret extends GeneratedSecret {
  readonly signer: GeneratedSecret | undefined
}

/** When certificates of a new CA may be used. */
export interface GenerateOptions {
  /**
   * Returns true if all clients that check certificates of this CA know its bundle. Until then, a certificate by the
   * old CA stays in use. Called only while there are two CAs. Default: true. `isLate`: the time of `ignoreOldAfterMs`
   * has passed; then wait only for clients that a certificate by the new CA would break.
   */
  readonly isTrusted?: (authority: string, bundle: GeneratedSecret, isLate: boolean) => boolean
}

/** The Secrets of all configs after `generate`. */
export interface GeneratedSecrets {
  /** The Secret that a config currently uses: a certificate, a password, or a CA. */
  readonly current: (config: string) => GeneratedSecret
  /** The previous CA while it is valid in the rotation. */
  readonly old: (authority: string) => GeneratedSecret | undefined
  /** `bundle.crt`: the trusted certificates, starting with the current CA. */
  readonly bundle: (authority: string) => GeneratedSecret
  /** Names of the Secrets created by this call, in order. */
  readonly created: readonly string[]
  /** Names of the Secrets that replaced unusable ones, and of removed unusable ones. */
  readonly replaced: readonly string[]
  /** Configs with a certificate that waits until the new CA is trusted. */
  readonly awaitingTrust: readonly string[]
  /**
   * CAs that had lost their Secret while their certificates still exist. The CA was recreated under its old name;
   * clients that trust only the lost CA need the new bundle. Reported until a clean-up.
   */
  readonly lostAuthorities: readonly string[]
  /**
   * Removes Secrets that no config needs: old CAs at once, Secrets that pods may still mount ten minutes after a
   * clean-up first found them. Call it at the end of a reconcile, after all objects that name these Secrets are
   * written.
   */
  readonly cleanUp: () => Promise<void>
}

/**
 * CAs, certificates and passwords in Secrets, with the names and labels of Gardener's own secrets manager
 * (docs/contract/secrets-manager.md).
 */
export interface SecretsManager {
  /** Creates missing Secrets. Sends one request if none is missing. */
  readonly generate: (options?: GenerateOptions) => Promise<GeneratedSecrets>
  /** Returns the newest Secret of a config, or undefined if there is none yet. For readers; creates nothing. */
  readonly read: (config: string) => Promise<ReadSecret | undefined>
  /** Removes all Secrets of the identity. For a deletion. */
  readonly removeAll: () => Promise<void>
  /** Removes all Secrets except those that gardenlet copies to another seed and deletes afterwards. For a migration. */
  readonly removeUnpersisted: () => Promise<void>
}

/** Attempts to read and remove a Secret that changed meanwhile. */
const tries = 5

/**
 * Creates the secrets manager of one identity in a namespace.
 *
 * @example
 * const manager = createSecretsManager({
 *   kubernetes,
 *   clock,
 *   namespace,
 *   identity: 'acme-dns',
 *   configs: [
 *     { kind: 'ca', name: 'ca-acme-dns', commonName: 'ca-acme-dns', persist: true },
 *     { kind: 'server', name: 'dns-sync-tls', commonName: 'dns-sync', signedBy: { ca: 'ca-acme-dns' } },
 *   ],
 *   rotation: caRotationOf(cluster),
 * })
 * const secrets = await manager.generate()
 * const volume = { name: 'tls', secret: { secretName: secrets.current('dns-sync-tls').name } }
 * // After all objects that name these Secrets are written:
 * await secrets.cleanUp()
 */
export const createSecretsManager = (options: SecretsManagerOptions): SecretsManager => {
  const { namespace, identity, configs, rotation, clock } = options
  const store = createSecretStore(options)

  const removeWhere = async (isRemoved: (secret: ManagedSecret) => boolean): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      const outcomes = await Promise.all((await store.list()).filter(isRemoved).map(store.remove))
      if (outcomes.every(outcome => outcome === 'removed')) return
      if (attempt === tries)
        throw new Error(
          `cannot remove the generated Secrets of ${identity} in ${namespace}: they change concurrently`,
        )
    }
  }

  return {
    generate: async ({ isTrusted = () => true } = {}) => {
      const generation = await generate({
        store,
        namespace,
        identity,
        configs,
        rotation,
        now: clock.now(),
        createKeyPair: options.createKeyPair ?? createRsaKeyPair,
        replacesUnreadable: options.replacesUnreadable ?? false,
        isTrusted: (authority, bundle, isLate) => isTrusted(authority, shown(bundle), isLate),
      })
      return {
        ...accessTo(generation),
        created: generation.created,
        replaced: generation.replaced,
        awaitingTrust: generation.awaitingTrust,
        lostAuthorities: lostAuthorities(configs, generation),
        cleanUp: () => cleanUp(store, unusedOf(generation), clock.now()),
      }
    },
    read: async config => {
      const all = await store.list()
      const newest = newestOf(all.filter(secret => secret.config === config))
      if (newest === undefined) return undefined
      const checksum = newest.labels[secretLabels.caChecksum]
      const signer = all.find(secret => isAuthority(secret) && caChecksumOf(secret.data) === checksum)
      return { ...shown(newest), signer: signer && shown(signer) }
    },
    removeAll: () => removeWhere(() => true),
    removeUnpersisted: () => removeWhere(({ labels }) => labels[secretLabels.persist] !== 'true'),
  }
}

const accessTo = ({
  authorities,
  certificates,
  passwords,
}: Generation): Pick<GeneratedSecrets, 'current' | 'old' | 'bundle'> => {
  const known = <T>(found: T | undefined, name: string): T => {
    if (found === undefined) throw new Error(`the generated secret ${name} has no config`)
    return found
  }
  return {
    current: name =>
      shown(known(certificates.get(name) ?? passwords.get(name) ?? authorities.get(name)?.current, name)),
    old: name => {
      const { old } = known(authorities.get(name), name)
      return old && shown(old)
    },
    bundle: name => shown(known(authorities.get(name), name).bundle),
  }
}

const shown = ({ name, data }: ManagedSecret): GeneratedSecret => ({ name, data })

const unusedOf = ({
  present,
  authorities,
  certificates,
  passwords,
}: Generation): readonly ManagedSecret[] => {
  const used = new Set(
    [
      ...certificates.values(),
      ...passwords.values(),
      ...[...authorities.values()].flatMap(({ current, old, bundle }) => [current, old, bundle]),
    ].map(secret => secret?.name),
  )
  return present.filter(({ name }) => !used.has(name))
}

/**
 * Returns the CAs that lost their Secret while their certificates exist. A certificate with the mark of the clean-up is
 * ignored, because its CA was removed on purpose.
 */
const lostAuthorities = (
  configs: readonly SecretConfig[],
  { present, authorities }: Pick<Generation, 'present' | 'authorities'>,
): readonly string[] =>
  [...authorities].flatMap(([ca, { current }]) => {
    const known = new Set(
      [current, ...present.filter(({ config }) => config === ca)].map(({ data }) => caChecksumOf(data)),
    )
    const signed = new Set(
      configs.flatMap(config => ('signedBy' in config && config.signedBy.ca === ca ? [config.name] : [])),
    )
    const orphans = present.filter(
      ({ config, labels, unusedSince }) =>
        unusedSince === undefined && signed.has(config) && !known.has(labels[secretLabels.caChecksum] ?? ''),
    )
    return orphans.length > 0 ? [ca] : []
  })
