import * as z from 'zod'
import type { FunctionDefinition } from './definition/definition.ts'
import { type HostSettings, hostSettings } from './host-settings.ts'
import { parseSettings, type SettingsInput } from './settings.ts'

/** The settings of a function's process, parsed. */
export type ProcessSettings = Readonly<Record<string, unknown>> & HostSettings

/** Every setting of a function's process: those of the host, and the function's own. */
export const processSettingsOf = ({ settings }: Pick<FunctionDefinition, 'settings'>): z.ZodObject =>
  z.object({ ...hostSettings, ...settings.shape })

/** Reads the settings of a function's process. Throws a `SettingsError` for what cannot be used. */
export const processSettings = (
  definition: Pick<FunctionDefinition, 'settings'>,
  input: SettingsInput,
): ProcessSettings => parseSettings(processSettingsOf(definition), input) as ProcessSettings
