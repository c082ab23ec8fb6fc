import * as z from 'zod'
import type { FunctionDefinition } from './definition/definition.ts'
import { type HostSettings, hostSettings } from './host-settings.ts'
import { parseSettings, type SettingsInput } from './settings.ts'

/** The parsed settings of a function's process. */
export type ProcessSettings = Readonly<Record<string, unknown>> & HostSettings

/** Returns all settings of a function's process: those of the host and of the function. */
export const processSettingsOf = ({ settings }: Pick<FunctionDefinition, 'settings'>): z.ZodObject =>
  z.object({ ...hostSettings, ...settings.shape })

/** Parses the settings of a function's process. Throws a `SettingsError` for invalid ones. */
export const processSettings = (
  definition: Pick<FunctionDefinition, 'settings'>,
  input: SettingsInput,
): ProcessSettings => parseSettings(processSettingsOf(definition), input) as ProcessSettings
