import { Option } from 'commander'
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
