import type { Timestamp } from '../clock/clock.ts'
import { certificateFacts, keysMatch } from './certificates/certificate-facts.ts'
import { isAuthority } from './clean-up.ts'
import { type DesiredSecret, factsOf, lifetimeLabels } from './desired-secret.ts'
import type { SecretTexts } from './make-data.ts'
import { type ManagedSecret, secretText } from './managed-secret.ts'
import { isNotYetValid } from './not-yet-valid.ts'
import type { SecretStore } from './secret-store.ts'

export interface EnsureInput {
  readonly store: SecretStore
  readonly namespace: string
  /** All existing Secrets of the identity. */
  readonly present: readonly ManagedSecret[]
  readonly now: Timestamp
  /** Receives the name of each created Secret. */
  readonly created: string[]
  /** Receives the name of each Secret that replaces an unusable one. */
  readonly replaced: string[]
  /** True: deletes and recreates an unreadable Secret. False: throws an error. */
  readonly replacesUnreadable: boolean
}

export interface EnsureSecret {
  /**
   * Returns the desired Secret: the existing one of that name, or a new one with provided data, or a new one with the
   * data from `make`.
   */
  readonly ensure: (desired: DesiredSecret, make: () => Promise<SecretTexts>) => Promise<ManagedSecret>
  /** Returns true if the Secret has its data. Else throws, or removes it if unreadable ones are recreated. */
  readonly isUsable: (secret: ManagedSecret, desired: Pick<DesiredSecret, 'keys'>) => Promise<boolean>
}

export const createEnsureSecret = ({
  store,
  namespace,
  present,
  now,
  created,
  replaced,
  replacesUnreadable,
}: EnsureInput): EnsureSecret => {
  let providedData: ReturnType<SecretStore['listData']> | undefined

  const checked = (secret: ManagedSecret, desired: Pick<DesiredSecret, 'keys'>): void => {
    const problem = problemOf(secret, desired)
    if (problem === undefined) return
    throw new Error(
      `cannot read the generated Secret ${namespace}/${secret.name}: ${problem}. Delete it to have it recreated`,
    )
  }

  /** Returns the data of the Secret labelled for use instead of new data. */
  const provided = async ({ config, keys }: DesiredSecret): Promise<ManagedSecret['data'] | undefined> => {
    providedData ??= store.listData()
    const [secret, ...others] = (await providedData).get(config) ?? []
    if (secret === undefined) return undefined
    const refusal = (why: string) =>
      new Error(`cannot import data for the generated secret ${config}: ${why}`)
    if (others.length > 0) {
      const names = [secret, ...others].map(({ name }) => name).sort()
      throw refusal(`more than one Secret of ${namespace} has its label: ${names.join(', ')}`)
    }
    const [certificate = '', key] = keys
    const fits =
      !certificateKeys.has(certificate) ||
      key === undefined ||
      keysMatch(secretText(secret, certificate), secretText(secret, key))
    if (fits && keys.every(name => secret.data[name])) return secret.data
    const what = keys.length > 1 ? `${keys.join(' and ')} that belong together` : keys.join()
    throw refusal(`the Secret ${namespace}/${secret.name} does not contain ${what}`)
  }

  const create = async (desired: DesiredSecret, make: () => Promise<SecretTexts>): Promise<ManagedSecret> => {
    const data = (await provided(desired)) ?? encoded(await make())
    const labels = { ...desired.labels, ...lifetimeLabels({ data, labels: {} }, now, desired.validityMs) }
    const { secret, isNew } = await store.create({ name: desired.name, labels, data })
    if (isNew) created.push(secret.name)
    return secret
  }

  /** Replaces only generated data. Data provided by an operator would be the same again. */
  const isReplaced = async (secret: ManagedSecret, desired: DesiredSecret): Promise<boolean> => {
    const isUnreadable = problemOf(secret, desired) !== undefined
    const isWrong = isUnreadable ? replacesUnreadable : isAuthority(secret) && isNotYetValid(secret, now)
    return isWrong && (await provided(desired)) === undefined
  }

  /**
   * If the process ends after the removal, the next attempt creates the Secret. A Secret that has changed meanwhile is
   * not removed.
   */
  const replace = async (
    secret: ManagedSecret,
    desired: DesiredSecret,
    make: () => Promise<SecretTexts>,
  ): Promise<ManagedSecret> => {
    await store.remove(secret)
    replaced.push(secret.name)
    return create(desired, make)
  }

  return {
    isUsable: async (secret, desired) => {
      if (!replacesUnreadable) checked(secret, desired)
      if (problemOf(secret, desired) === undefined) return true
      await store.remove(secret)
      replaced.push(secret.name)
      return false
    },
    ensure: async (desired, make) => {
      const there = present.find(({ name }) => name === desired.name) ?? (await create(desired, make))
      const found = (await isReplaced(there, desired)) ? await replace(there, desired, make) : there
      checked(found, desired)
      return store.ensure(found, { ...desired.labels, ...lifetimeLabels(found, now, desired.validityMs) })
    },
  }
}

/** The reason why a Secret is unusable. Never contains a value. */
const problemOf = (secret: ManagedSecret, { keys }: Pick<DesiredSecret, 'keys'>): string | undefined => {
  const missing = keys.filter(key => !secret.data[key])
  if (missing.length > 0) return `it has no ${missing.join(', ')}`
  const isWhole = keys.includes('bundle.crt')
    ? certificateFacts(secretText(secret, 'bundle.crt')) !== undefined
    : !keys.some(key => certificateKeys.has(key)) || factsOf(secret) !== undefined
  if (!isWhole) return 'its certificate is unreadable'
  const [certificate = '', key] = keys
  return key === undefined ||
    !certificateKeys.has(certificate) ||
    keysMatch(secretText(secret, certificate), secretText(secret, key))
    ? undefined
    : 'its key is unreadable or does not match its certificate'
}

/** Keys of Secrets with a certificate and its key. */
const certificateKeys = new Set(['tls.crt', 'ca.crt'])

const encoded = (texts: SecretTexts): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]))
