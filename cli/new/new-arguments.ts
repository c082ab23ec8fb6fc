import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { type ExtensionClass, extensionClasses } from '../../shared/contract/constants.ts'
import { type KindName, kindNames, kinds } from '../../shared/contract/kinds.ts'
import { shown } from '../../shared/decode/problems.ts'
import { nearestName } from '../../shared/text/nearest-name.ts'

export interface NewFunction {
  /** The folder below `functions/`. */
  readonly provider: string
  readonly kind: KindName
  /** The name of the Knative Service, its Trigger and its ServiceAccount. */
  readonly name: string
  /** `spec.type` of its objects. */
  readonly type: string
  readonly classes: readonly ExtensionClass[]
  /** A secondary function follows the objects of another controller. Default: the function is their controller. */
  readonly role?: 'secondary'
  /** True for an Extension that uses resources of the Shoot's project. Default: false. */
  readonly references?: boolean
}

/** Returns the folder of a function, relative to the root of its project. */
export const folderOf = ({ provider, kind, role }: NewFunction): string =>
  `functions/${provider}/${kind.toLowerCase()}${role === undefined ? '' : `-${role}`}`

/** Returns the page with the rules for a function, relative to `docs/`. */
export const rulesOf = ({ kind, role }: NewFunction): string =>
  role === undefined ? `kinds/${kind.toLowerCase()}.md` : 'secondary.md'

/** Folders of a provider with another meaning; such a name would be confused with them. */
const taken = new Set(['provider', 'webhooks', 'testing', 'node_modules'])

/** RFC 1035, as Knative requires for a Service: 63 characters at most. */
const isDnsLabel = (text: string): boolean => text.length <= 63 && /^[a-z](?:[a-z0-9-]*[a-z0-9])?$/.test(text)

/** Parses `acme/dnsrecord`, also with the plural or a short name of the kind. Throws a `UsageError`. */
export const parseTarget = (text: string): Pick<NewFunction, 'provider' | 'kind'> => {
  const [provider = '', kind = '', ...more] = text.split('/')
  if (provider === '' || kind === '' || more.length > 0)
    throw new UsageError(`${shown(text)} is not PROVIDER/KIND, such as acme/dnsrecord`)
  if (!isDnsLabel(provider) || taken.has(provider))
    throw new UsageError(
      `the provider ${shown(provider)} cannot be a folder name: expected at most 63 lower-case letters, digits and dashes, starting with a letter${taken.has(provider) ? `, and not ${[...taken].join(', ')}` : ''}`,
    )
  return { provider, kind: parseKind(kind) }
}

/** Parses the name of a project, which is also its folder and its first provider. Throws a `UsageError`. */
export const parseProjectName = (text: string): string => {
  if (isDnsLabel(text) && !taken.has(text)) return text
  throw new UsageError(
    `the name ${shown(text)} cannot be a project: expected at most 63 lower-case letters, digits and dashes, starting with a letter, such as acme. Choose the folder with --dir`,
  )
}

const parseKind = (text: string): KindName => {
  const found = kindNames.find(name =>
    [name, kinds[name].resource.plural, ...(kinds[name].shortNames ?? [])].some(
      known => known.toLowerCase() === text.toLowerCase(),
    ),
  )
  if (found !== undefined) return found
  const near = nearestName(text, kindNames)
  const hint = near === undefined ? `known kinds: ${kindNames.join(', ')}` : `did you mean ${near}?`
  throw new UsageError(`unknown kind ${shown(text)}: ${hint}`)
}

/** Parses the name of a Service that Kubernetes accepts. Throws a `UsageError`. */
export const parseName = (text: string): string => {
  if (isDnsLabel(text)) return text
  throw new UsageError(
    `Kubernetes refuses the name ${shown(text)}: expected at most 63 lower-case letters, digits and dashes, starting with a letter, such as acme-dnsrecord`,
  )
}

/** Parses a `spec.type`, which also becomes part of object names. Throws a `UsageError`. */
export const parseType = (text: string): string => {
  if (isDnsLabel(text)) return text
  throw new UsageError(
    `the type ${shown(text)} cannot be part of a name: expected at most 63 lower-case letters, digits and dashes, starting with a letter, such as acme-dns`,
  )
}

/** Parses `shoot,seed`. Throws a `UsageError`. */
export const parseClasses = (text: string): readonly ExtensionClass[] =>
  [...new Set(text.split(',').map(part => part.trim()))].map(part => {
    const found = extensionClasses.find(name => name === part)
    if (found !== undefined) return found
    const near = nearestName(part, extensionClasses)
    throw new UsageError(
      `unknown class ${shown(part)}: ${near === undefined ? `known classes: ${extensionClasses.join(', ')}` : `did you mean ${near}?`}`,
    )
  })
