import { parse } from 'yaml'
import * as z from 'zod'
import { formatProblems, problemsOf } from '../../../shared/decode/problems.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import { type ExtensionConfig, extensionConfigSchema } from './extension-config.ts'

/** The settings for machines with Ubuntu. An invalid document stops the start. */
export const ubuntuSettings = z.object({
  extensionConfig: z
    .string()
    .superRefine((text, context) => {
      try {
        readExtensionConfig(text)
      } catch (error) {
        context.addIssue({ code: 'custom', message: messageOf(error) })
      }
    })
    .default('')
    .meta({
      description:
        "Configuration in YAML or JSON: ntp, disableUnattendedUpgrades and apt, as in config.yaml of Gardener's os-ubuntu. Empty: systemd-timesyncd and the machines' own package sources.",
    }),
})

/** Parses the document. Throws an Error that names the field. */
export const readExtensionConfig = (text: string): ExtensionConfig => {
  const value: unknown = text.trim() === '' ? {} : parsed(text)
  const { data, error } = extensionConfigSchema.safeParse(value)
  if (error === undefined) return data
  throw new Error(formatProblems(problemsOf(error.issues, value)))
}

const parsed = (text: string): unknown => {
  try {
    // No value in it is worth an alias.
    return parse(text, { maxAliasCount: 0, prettyErrors: false })
  } catch (error) {
    throw new Error('it is not valid YAML', { cause: error })
  }
}
