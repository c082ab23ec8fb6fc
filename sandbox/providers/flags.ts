import type { Provider } from './provider.ts'

/** The flags of one cloud: `--aws-endpoint`, `--aws-state`, `--save-aws-state`. */
export interface CloudOptions {
  /** The address of an existing cloud. Default: a simulated one. */
  readonly endpoint?: string
  /** A file with the initial state of a simulated cloud. */
  readonly state?: string
  /** A file for the final state of a simulated cloud. */
  readonly saveState?: string
}

export const flagsOf = ({ name }: Pick<Provider, 'name'>) =>
  ({
    port: `--${name}-port`,
    endpoint: `--${name}-endpoint`,
    state: `--${name}-state`,
    saveState: `--save-${name}-state`,
  }) as const

/** Returns the name under which commander stores a flag: `awsEndpoint`. */
export const attributeOf = (flag: string): string =>
  flag.replace(/^--/, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Returns the options of each cloud from the values of all flags, by provider name. */
export const cloudOptions = (
  values: Readonly<Record<string, unknown>>,
  providers: readonly Pick<Provider, 'name'>[],
): Readonly<Record<string, CloudOptions>> =>
  Object.fromEntries(
    providers.map(provider => {
      const { endpoint, state, saveState } = flagsOf(provider)
      const given = Object.entries({ endpoint, state, saveState }).flatMap(([option, flag]) => {
        const value = values[attributeOf(flag)]
        return typeof value === 'string' ? [[option, value] as const] : []
      })
      return [provider.name, Object.fromEntries(given)]
    }),
  )
