import type { Clock } from '../clock/clock.ts'
import type { CaRotation } from './ca-rotation.ts'
import { type CreateKeyPair, createKeyPair as createRsaKeyPair } from './certificates/key-pair.ts'
import { cleanUp, isAuthority } from './clean-up.ts'
import type { SecretConfig } from './config.ts'
import { type Generation, generate } from './generate.ts'
import { secretLabels } from './labels.ts'
import { lostAuthorities } from './lost-authorities.ts'
import { type ManagedSecret, newestOf } from './managed-secret.ts'
import { caChecksumOf } from './names/secret-name.ts'
import { createSecretStore, type SecretsKubernetes } from './secret-store.ts'

export interface SecretsManagerOptions {
  /** Where the Secrets are: the seed of a step, or any other cluster. */
  readonly kubernetes: SecretsKubernetes
  readonly clock: Pick<Clock, 'now'>
  readonly namespace: string
  /**
   * Whose the Secrets are: one for each controller and purpose (`provider-foo-controlplane`), as what this one does not
   * know of its identity is removed.
   */
  readonly identity: string
  readonly configs: readonly SecretConfig[]
  /** Of the shoot, for all CAs (`caRotationOf`); absent: each CA lives by its own time. */
  readonly rotation?: CaRotation | undefined
  /** RSA of 3072 bits. */
  readonly createKeyPair?: CreateKeyPair
  /**
   * True: deletes and recreates an unreadable Secret. Use it only if all Secrets belong to the process. Default: false, which
   * throws an error that names the Secret.
   */
  readonly replacesUnreadable?: boolean
  readonly signal?: AbortSignal
}

/** A Secret for those who use it: they mount it by its name, or take a certificate out of it. */
export type GeneratedSecret = Pick<ManagedSecret, 'name' | 'data'>

/** A Secret and the CA that signed its certificate, if that CA still exists. */
export interface ReadSecret extends GeneratedSecret {
  readonly signer: GeneratedSecret | undefined
}

export interface GenerateOptions {
  /**
   * Whether everybody who checks certificates of this CA knows its bundle by now. As long as not, a certificate by the newest
   * CA waits, and the one by the old CA stays, until that is over. Asked while there are two; absent: yes. `isLate`: the time
   * of `ignoreOldAfterMs` has passed, and only those should still be waited for whom a certificate by the new CA would harm.
   */
  readonly isTrusted?: (authority: string, bundle: GeneratedSecret, isLate: boolean) => boolean
}

export interface GeneratedSecrets {
  /** The Secret in use of a config: a certificate, a password, or a CA. */
  readonly current: (config: string) => GeneratedSecret
  /** The CA before, as long as it counts. */
  readonly old: (authority: string) => GeneratedSecret | undefined
  /** `bundle.crt`: the certificates to trust, the current CA's first. */
  readonly bundle: (authority: string) => GeneratedSecret
  /** Names of the Secrets that were made now, in order. */
  readonly created: readonly string[]
  /** Names of the Secrets that replaced unusable ones, and of unusable ones that were removed. */
  readonly replaced: readonly string[]
  /** Configs whose certificate waits until the new CA is trusted. */
  readonly awaitingTrust: readonly string[]
  /**
   * CAs of which certificates are there, but the Secret was gone: it was made anew under its old name, and who trusts only the
   * lost one has to be given the new bundle. Reported until a clean-up.
   */
  readonly lostAuthorities: readonly string[]
  /**
   * Removes what none of the configs needs: old CAs at once, what pods may still mount ten minutes after a clean-up has found
   * it first. For the end of a reconcile, when everything that names these Secrets is written.
   */
  readonly cleanUp: () => Promise<void>
}

/**
 * CAs, certificates and passwords in Secrets, by the names and labels that Gardener's own secrets manager gives them
 * (docs/contract/secrets-manager.md).
 *
 * @example
 * const manager = createSecretsManager({ kubernetes, clock, namespace, identity, configs, rotation: caRotationOf(cluster) })
 * const secrets = await manager.generate()
 * deployment(secrets.current('cloud-controller-manager-server').name)
 * await secrets.cleanUp()
 */
export interface SecretsManager {
  /** Makes what is missing. One request when nothing is. */
  readonly generate: (options?: GenerateOptions) => Promise<GeneratedSecrets>
  /** The newest Secret of a config, for those who only use it; undefined: none yet. Makes nothing. */
  readonly read: (config: string) => Promise<ReadSecret | undefined>
  /** Removes all of the identity. For a deletion. */
  readonly removeAll: () => Promise<void>
  /** Removes all but what gardenlet takes along to another seed, and removes itself after that. For a migration. */
  readonly removeUnpersisted: () => Promise<void>
}

/** How often what was changed meanwhile is read and removed again. */
const tries = 5

export const createSecretsManager = (options: SecretsManagerOptions): SecretsManager => {
  const { namespace, identity, configs, rotation, clock } = options
  const store = createSecretStore(options)

  const removeWhere = async (isRemoved: (secret: ManagedSecret) => boolean): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      const outcomes = await Promise.all((await store.list()).filter(isRemoved).map(store.remove))
      if (outcomes.every(outcome => outcome === 'removed')) return
      if (attempt === tries)
        throw new Error(`removing the generated Secrets of ${identity} in ${namespace}: they keep changing`)
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
    if (found === undefined) throw new Error(`there is no config of the generated secret ${name}`)
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
