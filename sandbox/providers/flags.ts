import type { Provider } from './provider.ts'

/** What flags give of one cloud: `--aws-endpoint`, `--aws-state`, `--save-aws-state`. */
export interface CloudOptions {
  /** The cloud is there; absent: it is simulated. */
  readonly endpoint?: string
  /** A file with what a simulated one starts with. */
  readonly state?: string
  /** A file that takes what a simulated one holds in the end. */
  readonly saveState?: string
}

/** The flags of a cloud. */
export const flagsOf = ({ name }: Pick<Provider, 'name'>) =>
  ({
    port: `--${name}-port`,
    endpoint: `--${name}-endpoint`,
    state: `--${name}-state`,
    saveState: `--save-${name}-state`,
  }) as const

/** The name by which commander gives the value of a flag: `awsEndpoint`. */
export const attributeOf = (flag: string): string =>
  flag.replace(/^--/, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** What the values of all flags say of each cloud, by the names of the providers. */
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
