import { parseArgs } from 'node:util'
import { describeSettings } from '../../shared/runtime/runtime.ts'
import { bridgeSettings } from './settings.ts'

/** Reads the command line of the bridge. Throws a TypeError with a code on flags that there are not. */
export const parseFlags = (
  args: readonly string[],
): { readonly help: boolean; readonly flags: Readonly<Record<string, unknown>> } => {
  const rows = describeSettings(bridgeSettings)
  const bare = new Map(rows.flatMap(({ flag, bare }) => (bare === undefined ? [] : [[flag, bare] as const])))
  const options = Object.fromEntries(rows.map(({ flag }) => [flag.slice(2), { type: 'string' as const }]))
  const whole = args.map((arg, index) => {
    const value = bare.get(arg)
    const standsAlone = args[index + 1]?.startsWith('-') ?? true
    return value !== undefined && standsAlone ? `${arg}=${value}` : arg
  })
  const { help, ...flags } = parseArgs({
    args: whole,
    options: { ...options, help: { type: 'boolean', short: 'h' } },
  }).values
  return { help: help === true, flags }
}
