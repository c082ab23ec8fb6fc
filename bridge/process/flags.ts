import { parseFlags as parseFlagsOf } from '../../shared/runtime/runtime.ts'
import { bridgeSettings } from './settings.ts'

/** Reads the command line of the bridge. Throws a TypeError with a code for an unknown flag. */
export const parseFlags = (args: readonly string[]): ReturnType<typeof parseFlagsOf> =>
  parseFlagsOf(bridgeSettings, args)
