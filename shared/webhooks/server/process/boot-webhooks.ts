import type * as z from 'zod'
import { prepareProcess } from '../../../runtime/prepare-process.ts'
import { describeSettings, parseFlags, SettingsError, startUnoptimized } from '../../../runtime/runtime.ts'
import { print, printProblem } from '../../../terminal/print.ts'
import { messageOf } from '../../../text/message-of.ts'
import type { WebhookDefinition } from '../../admission/admission.ts'
import { webhookSettingsOf } from './settings.ts'
import { webhookProcess } from './webhook-process.ts'

/**
 * Starts the process of these admission functions. Reads settings from flags and environment, and ends cleanly at
 * SIGTERM and SIGINT.
 */
export const bootWebhooks = (definitions: readonly WebhookDefinition[]): void => {
  startUnoptimized()
  prepareProcess()
  const schema = webhookSettingsOf(definitions)
  const main = async (): Promise<void> => {
    const { help, flags } = parseFlags(schema, process.argv.slice(2))
    if (help) print(webhookHelp(schema))
    else await webhookProcess({ definitions, flags, env: process.env })
  }
  main().catch((error: unknown) => {
    const isSetting = error instanceof SettingsError || (error instanceof TypeError && 'code' in error)
    printProblem('trellis webhook', messageOf(error))
    process.exit(isSetting ? 2 : 1)
  })
}

/** Returns the output of `--help`: every setting with its flag, environment name and default. */
const webhookHelp = (schema: z.ZodObject): string => {
  const rows = describeSettings(schema)
  const width = Math.max(...rows.map(({ flag }) => flag.length)) + 2
  const settings = rows.map(({ flag, description, env, default: value }) => {
    const byDefault = value === undefined ? '' : `, default: ${value || 'none'}`
    return `  ${flag.padEnd(width)}${description} [${env}${byDefault}]`
  })
  return `Answer reviews of API servers before they store objects.

Settings, as flags or in the environment; a flag overrides the environment:
${settings.join('\n')}

Example:
  node functions/webhooks-main.ts --kubeconfig ~/.kube/config --url https://192.168.1.2:9443
`
}
