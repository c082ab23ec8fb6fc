import type { Timestamp } from '../clock/clock.ts'
import { keysMatch } from './certificates/certificate-facts.ts'
import { type DesiredSecret, factsOf, lifetimeLabels } from './desired-secret.ts'
import type { SecretTexts } from './make-data.ts'
import { type ManagedSecret, textOf } from './managed-secret.ts'
import type { SecretStore } from './secret-store.ts'

export interface EnsureInput {
  readonly store: SecretStore
  readonly namespace: string
  /** All Secrets of the identity. */
  readonly present: readonly ManagedSecret[]
  readonly now: Timestamp
  /** Gets the name of each Secret that is made. */
  readonly created: string[]
}

export interface EnsureSecret {
  /** The Secret as it shall be: the one of that name, else a new one of data that are provided, else of what `make` makes. */
  readonly ensure: (desired: DesiredSecret, make: () => Promise<SecretTexts>) => Promise<ManagedSecret>
  /** Throws when it does not hold what it is called after. */
  readonly checked: (secret: ManagedSecret, desired: Pick<DesiredSecret, 'keys'>) => void
}

export const createEnsureSecret = ({
  store,
  namespace,
  present,
  now,
  created,
}: EnsureInput): EnsureSecret => {
  let providedData: ReturnType<SecretStore['listData']> | undefined

  const checked: EnsureSecret['checked'] = (secret, { keys }) => {
    const missing = keys.filter(key => !secret.data[key])
    const isWhole = !keys.some(key => certificateKeys.has(key)) || factsOf(secret) !== undefined
    if (missing.length === 0 && isWhole) return
    const what = missing.length > 0 ? `it has no ${missing.join(', ')}` : 'its certificate cannot be read'
    throw new Error(
      `reading the generated Secret ${namespace}/${secret.name}: ${what}; once it is deleted, it is made anew`,
    )
  }

  /** The data of the Secret that is labelled to be used in place of new data. */
  const provided = async ({ config, keys }: DesiredSecret): Promise<ManagedSecret['data'] | undefined> => {
    providedData ??= store.listData()
    const [secret, ...others] = (await providedData).get(config) ?? []
    if (secret === undefined) return undefined
    const refusal = (why: string) => new Error(`using data for the generated secret ${config}: ${why}`)
    if (others.length > 0) {
      const names = [secret, ...others].map(({ name }) => name).sort()
      throw refusal(`the label for it is on more than one Secret of ${namespace}: ${names.join(', ')}`)
    }
    const [certificate = '', key] = keys
    const fits =
      !certificateKeys.has(certificate) ||
      key === undefined ||
      keysMatch(textOf(secret, certificate), textOf(secret, key))
    if (fits && keys.every(name => secret.data[name])) return secret.data
    const what = keys.length > 1 ? `${keys.join(' and ')} that belong together` : keys.join()
    throw refusal(`the Secret ${namespace}/${secret.name} does not hold ${what}`)
  }

  const create = async (desired: DesiredSecret, make: () => Promise<SecretTexts>): Promise<ManagedSecret> => {
    const data = (await provided(desired)) ?? encoded(await make())
    const labels = { ...desired.labels, ...lifetimeLabels({ data, labels: {} }, now, desired.validityMs) }
    const { secret, isNew } = await store.create({ name: desired.name, labels, data })
    if (isNew) created.push(secret.name)
    return secret
  }

  return {
    checked,
    ensure: async (desired, make) => {
      const found = present.find(({ name }) => name === desired.name) ?? (await create(desired, make))
      checked(found, desired)
      return store.keep(found, { ...desired.labels, ...lifetimeLabels(found, now, desired.validityMs) })
    },
  }
}

/** Of Secrets with a certificate and its key. */
const certificateKeys = new Set(['tls.crt', 'ca.crt'])

const encoded = (texts: SecretTexts): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]))
