import { type Command, InvalidArgumentError, Option } from 'commander'
import { flagsOf } from '../../sandbox/providers/flags.ts'
import type { Provider } from '../../sandbox/providers/provider.ts'

/** `--provider <name...>`: the clouds that a command starts. */
export const providerOption = (all: readonly Provider[]): Option =>
  new Option(
    '--provider <name...>',
    'start only these clouds, their functions, and functions without a cloud (default: all)',
  ).choices(all.map(({ name }) => name))

/** Returns the providers with these names; all of them if none are named. */
export const chosenProviders = (
  all: readonly Provider[],
  names: readonly string[] | undefined,
): readonly Provider[] => (names === undefined ? all : all.filter(({ name }) => names.includes(name)))

interface CloudFlag {
  readonly flag: keyof ReturnType<typeof flagsOf>
  /** `<file>` */
  readonly value: string
  readonly text: string
  readonly parse?: (text: string) => unknown
}

/**
 * Adds a flag that each cloud has, such as `--aws-state`. The help shows one line for all of them: `--CLOUD-state`. A
 * user who gives that one gets the names of the clouds.
 */
export const addCloudFlag = (
  command: Command,
  providers: readonly Provider[],
  { flag, value, text, parse }: CloudFlag,
): void => {
  for (const provider of providers) {
    const option = new Option(`${flagsOf(provider)[flag]} ${value}`, `${provider.title}: ${text}`).hideHelp()
    command.addOption(parse === undefined ? option : option.argParser(parse))
  }
  const names = providers.map(({ name }) => name).join(', ')
  command.addOption(
    new Option(`${flagsOf({ name: 'CLOUD' })[flag]} ${value}`, `${text}; CLOUD: ${names}`).argParser(() => {
      throw new InvalidArgumentError(`replace CLOUD by one of: ${names}`)
    }),
  )
}
