import type { FoundFunction } from '../../functions/find-functions.ts'
import type { FoundGardenObjects } from '../../functions/find-garden-objects.ts'
import type { FoundWebhook } from '../../functions/find-webhooks.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { nearestName } from '../../shared/text/nearest-name.ts'
import { componentsOf } from '../../shared/webhooks/admission/admission.ts'

export interface Available {
  readonly functions: readonly FoundFunction[]
  readonly webhooks: readonly FoundWebhook[]
  /** Default: none. */
  readonly gardenObjects?: readonly FoundGardenObjects[]
}

/** The user's choice: whole providers, with their webhooks, and single functions. */
export interface Choice {
  /** `aws`. */
  readonly providers: readonly string[]
  /** `aws-dnsrecord`, or `aws/dnsrecord`. */
  readonly functions: readonly string[]
}

export interface Chosen {
  readonly functions: readonly FoundFunction[]
  /** The components of webhooks of seeds and shoots: `provider-aws`. */
  readonly components: readonly string[]
  /** The components of webhooks of the garden: `admission-aws`. */
  readonly admission: readonly string[]
  /** The providers with objects in the garden. */
  readonly gardenObjects: readonly string[]
}

/** Resolves a choice. Throws a `UsageError` for an unknown name. */
export const chosenOf = ({ functions, webhooks, gardenObjects = [] }: Available, choice: Choice): Chosen => {
  const providers = [...new Set(functions.map(providerOf))].toSorted()
  for (const name of choice.providers)
    if (!providers.includes(name)) throw new UsageError(`unknown provider ${name}${nearest(name, providers)}`)
  const names = new Set(choice.functions.map(name => functionNamed(functions, name).name))
  const isOfProvider = (file: string) => choice.providers.includes(providerIn(file))
  return {
    functions: functions.filter(({ name, file }) => names.has(name) || isOfProvider(file)),
    components: componentsOf(
      webhooks.filter(({ file, target }) => target !== 'garden' && isOfProvider(file)),
    ),
    admission: componentsOf(webhooks.filter(({ file, target }) => target === 'garden' && isOfProvider(file))),
    gardenObjects: gardenObjects.flatMap(({ provider }) =>
      choice.providers.includes(provider) ? [provider] : [],
    ),
  }
}

/**
 * Returns the default name of the objects in the garden and of the release: `trellis-aws` for a provider,
 * `trellis-aws-dnsrecord` for a function.
 */
export const usualName = ({ providers, functions }: Choice, { functions: chosen }: Chosen): string => {
  const [provider] = providers
  if (providers.length === 1 && functions.length === 0) return `trellis-${provider}`
  const [only] = chosen
  return only !== undefined && chosen.length === 1 ? `trellis-${only.name}` : 'trellis'
}

const functionNamed = (functions: readonly FoundFunction[], given: string): FoundFunction => {
  const found = functions.find(({ name, file }) => name === given || pathOf(file) === given)
  if (found !== undefined) return found
  const paths = functions.map(({ file }) => pathOf(file))
  throw new UsageError(`unknown function ${given}${nearest(given, paths)}`)
}

const nearest = (given: string, names: readonly string[]): string => {
  const near = nearestName(given, names)
  return near === undefined ? `; known: ${names.join(', ')}` : `. Did you mean ${near}?`
}

/** Returns `aws/dnsrecord` for `…/functions/aws/dnsrecord/function.ts`. */
const pathOf = (file: string): string => file.split('/').slice(-3, -1).join('/')

const providerOf = ({ file }: FoundFunction): string => providerIn(file)

/**
 * Returns `aws` for `…/functions/aws/dnsrecord/function.ts` and for `…/functions/aws/webhooks/controlplane/webhook.ts`.
 */
const providerIn = (file: string): string =>
  file.split('/').at(file.endsWith('/webhook.ts') || file.endsWith('/webhook.js') ? -4 : -3) ?? ''
