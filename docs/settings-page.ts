import type * as z from 'zod'
import { bridgeSettings } from '../bridge/bridge.ts'
import type { WebhookDefinition } from '../shared/admission/admission.ts'
import type { FunctionDefinition } from '../shared/runtime/runtime.ts'
import { describeSettings, processSettingsOf } from '../shared/runtime/runtime.ts'
import { webhookSettingsOf } from '../webhook/webhook.ts'

const table = (schema: z.ZodObject): string =>
  [
    '| flag | environment | default | what it is |',
    '|---|---|---|---|',
    ...describeSettings(schema).map(
      ({ flag, env, default: value, required, description }) =>
        `| \`${flag}\` | \`${env}\` | ${value === undefined ? (required ? 'required' : '') : `\`${value}\``} | ${description.replaceAll('|', '\\|')} |`,
    ),
  ].join('\n')

/** The reference of all settings, made from their schemas. */
export const settingsPage = (
  functions: readonly FunctionDefinition[],
  webhooks: readonly WebhookDefinition[],
): string => `# Settings

Made from the schemas by \`make docs\`. A flag beats the environment, the environment beats the default. A setting that is
unknown or wrong ends the process with code 2 and one line that names it. Functions read the environment only.

## The bridge

${table(bridgeSettings)}

## The webhooks

${table(webhookSettingsOf(webhooks))}

${functions.map(fn => `## Function ${fn.name}\n\n${table(processSettingsOf(fn))}`).join('\n\n')}
`
