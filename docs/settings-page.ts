import * as z from 'zod'
import { bridgeSettings } from '../bridge/bridge.ts'
import type { FunctionDefinition } from '../shared/runtime/runtime.ts'
import { describeSettings, processSettingsOf } from '../shared/runtime/runtime.ts'
import type { WebhookDefinition } from '../shared/webhooks/admission/admission.ts'
import { webhookSettingsOf } from '../shared/webhooks/server/webhook.ts'

const rowsOf = (schema: z.ZodObject): readonly string[] =>
  describeSettings(schema).map(({ env, default: value, required, description }) => {
    const shown = required ? 'required' : value === undefined || value === '' ? '' : `\`${value}\``
    const what = description.replaceAll('|', '\\|').replaceAll(', separated by commas', '')
    return `| \`${env}\` | ${shown} | ${what} |`
  })

const tableOf = (rows: readonly string[]): string =>
  ['| environment | default | what it is |', '|---|---|---|', ...rows].join('\n')

/** The settings that all functions share, and the additional ones with the functions that have them. */
const functionsPart = (
  functions: readonly FunctionDefinition[],
  common: readonly string[],
  everywhere: readonly string[],
): string => {
  const own = functions.flatMap(fn =>
    rowsOf(processSettingsOf(fn))
      .filter(row => !common.includes(row))
      .map(row => ({ name: fn.name, row })),
  )
  return [
    `## Every function\n\n${tableOf(without(common, everywhere))}`,
    [
      '## Some functions\n',
      '| functions | environment | default | what it is |',
      '|---|---|---|---|',
      ...[...Map.groupBy(own, ({ row }) => row)].map(
        ([row, same]) => `| ${same.map(({ name }) => `\`${name}\``).join(', ')} ${row}`,
      ),
    ].join('\n'),
  ].join('\n\n')
}

const without = (rows: readonly string[], others: readonly string[]): readonly string[] =>
  rows.filter(row => !others.includes(row))

/** The reference of all settings, generated from their schemas. */
export const settingsPage = (
  functions: readonly FunctionDefinition[],
  webhooks: readonly WebhookDefinition[],
): string => {
  const bridge = rowsOf(bridgeSettings)
  const webhook = rowsOf(webhookSettingsOf(webhooks))
  const common = rowsOf(processSettingsOf({ settings: z.object({}) }))
  const everywhere = common.filter(row => bridge.includes(row) && webhook.includes(row))
  return `# Settings

For operators. \`make docs\` generates it from the schemas.

\`trellis bridge\` and the webhooks also take flags, which override the environment: \`--lease-name\` for \`TRELLIS_LEASE_NAME\`. Names in \`…_MS\` are milliseconds; lists are separated by commas. An unknown or invalid setting ends the process with exit code 2 and one line that names it.

## Every process

${tableOf(everywhere)}

## The bridge

${tableOf(without(bridge, everywhere))}

## The webhooks

${tableOf(without(webhook, everywhere))}

${functionsPart(functions, common, everywhere)}
`
}
