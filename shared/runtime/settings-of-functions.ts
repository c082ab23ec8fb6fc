import * as z from 'zod'
import type { FunctionDefinition } from './definition/definition.ts'
import { type HostSettings, hostSettings } from './host-settings.ts'
import { type ProcessSettings, processSettings, processSettingsOf } from './process-settings.ts'
import { printableSettings, SettingsError } from './settings.ts'

/** The settings of a process with several functions. */
export interface SettingsOfFunctions {
  readonly host: HostSettings
  readonly ofFunction: (definition: FunctionDefinition) => ProcessSettings
  /**
   * Each function's own settings by function, and the host's under the name of the process. Secret values are replaced.
   */
  readonly printable: Readonly<Record<string, object>>
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * Parses the settings of all functions of a process from one environment. A name applies to every function that has it.
 * Throws one `SettingsError` with all problems; a problem of only some functions names them.
 */
export const settingsOfFunctions = (
  name: string,
  definitions: readonly FunctionDefinition[],
  env: Env,
): SettingsOfFunctions => {
  const others = z.object(Object.assign({}, ...definitions.map(({ settings }) => settings.shape)))
  const read = definitions.map(definition => readOf(definition, { env, others }))
  const problems = problemsOf(read)
  if (problems.length > 0) throw new SettingsError(problems)

  const settings = new Map(
    read.flatMap(({ definition, result }) => ('settings' in result ? [[definition, result.settings]] : [])),
  )
  const ofFunction = (definition: FunctionDefinition): ProcessSettings => {
    const found = settings.get(definition)
    if (found === undefined) throw new TypeError(`this process has no function ${definition.name}`)
    return found
  }
  const hostSchema = z.object(hostSettings)
  const host = processSettings({ settings: z.object({}) }, { env, others })
  return {
    host,
    ofFunction,
    printable: Object.fromEntries([
      [name, printableSettings(hostSchema, host)],
      ...definitions.flatMap(definition => {
        const own = Object.entries(ofFunction(definition)).filter(([setting]) => !(setting in hostSettings))
        const schema = processSettingsOf(definition)
        return own.length === 0 ? [] : [[definition.name, printableSettings(schema, Object.fromEntries(own))]]
      }),
    ]),
  }
}

interface ReadSettings {
  readonly definition: FunctionDefinition
  readonly result: { readonly settings: ProcessSettings } | { readonly problems: readonly string[] }
}

const readOf = (
  definition: FunctionDefinition,
  input: { readonly env: Env; readonly others: z.ZodObject },
): ReadSettings => {
  try {
    return { definition, result: { settings: processSettings(definition, input) } }
  } catch (error) {
    if (error instanceof SettingsError) return { definition, result: { problems: error.problems } }
    throw error
  }
}

/**
 * Returns each problem once. A problem that all functions have belongs to the process: a host setting or an unknown
 * name.
 */
const problemsOf = (read: readonly ReadSettings[]): readonly string[] => {
  const sayers = new Map<string, string[]>()
  for (const { definition, result } of read) {
    if (!('problems' in result)) continue
    for (const problem of result.problems)
      sayers.set(problem, [...(sayers.get(problem) ?? []), definition.name])
  }
  return [...sayers].map(([problem, names]) =>
    names.length === read.length ? problem : `${names.join(', ')}: ${problem}`,
  )
}
