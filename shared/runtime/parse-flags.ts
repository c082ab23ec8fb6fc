import { parseArgs } from 'node:util'
import type * as z from 'zod'
import { describeSettings } from './settings.ts'

/** Parses the command line of a process with these settings. Throws a TypeError with a code for unknown flags. */
export const parseFlags = (
  schema: z.ZodObject,
  args: readonly string[],
): { readonly help: boolean; readonly flags: Readonly<Record<string, unknown>> } => {
  const rows = describeSettings(schema)
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
