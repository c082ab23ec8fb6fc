import { endWithOutput } from '../../../runtime/end-with-output.ts'
import { parseFlags, SettingsError, startUnoptimized } from '../../../runtime/runtime.ts'
import { messageOf } from '../../../text/message-of.ts'
import type { WebhookDefinition } from '../../admission/admission.ts'
import { webhookHelp } from './help.ts'
import { webhookSettingsOf } from './settings.ts'
import { webhookProcess } from './webhook-process.ts'

/**
 * Starts the process of these admission functions. Reads settings from flags and environment, and ends cleanly at
 * SIGTERM and SIGINT.
 */
export const bootWebhooks = (definitions: readonly WebhookDefinition[]): void => {
  startUnoptimized()
  endWithOutput(process)
  const schema = webhookSettingsOf(definitions)
  const main = async (): Promise<void> => {
    const { help, flags } = parseFlags(schema, process.argv.slice(2))
    if (help) process.stdout.write(webhookHelp(schema))
    else await webhookProcess({ definitions, flags, env: process.env })
  }
  main().catch((error: unknown) => {
    const isSetting = error instanceof SettingsError || (error instanceof TypeError && 'code' in error)
    process.stderr.write(`trellis webhook: ${messageOf(error)}\n`)
    process.exit(isSetting ? 2 : 1)
  })
}
