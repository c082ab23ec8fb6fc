import * as z from 'zod'
import { bridgeSettings } from '../bridge/bridge.ts'
import type { FunctionDefinition } from '../shared/runtime/runtime.ts'
import { describeSettings, processSettingsOf } from '../shared/runtime/runtime.ts'
import type { WebhookDefinition } from '../shared/webhooks/admission/admission.ts'
import { webhookSettingsOf } from '../shared/webhooks/server/webhook.ts'

const rowsOf = (schema: z.ZodObject): readonly string[] =>
  describeSettings(schema).map(
    ({ flag, env, default: value, required, description }) =>
      `| \`${flag}\` | \`${env}\` | ${value === undefined ? (required ? 'required' : '') : `\`${value}\``} | ${description.replaceAll('|', '\\|')} |`,
  )

const tableOf = (rows: readonly string[]): string =>
  ['| flag | environment | default | what it is |', '|---|---|---|---|', ...rows].join('\n')

const table = (schema: z.ZodObject): string => tableOf(rowsOf(schema))

/** The settings that all functions share, and the additional ones of each function. */
const functionsPart = (functions: readonly FunctionDefinition[]): string => {
  const common = rowsOf(processSettingsOf({ settings: z.object({}) }))
  const own = functions.map(fn => ({
    name: fn.name,
    rows: rowsOf(processSettingsOf(fn)).filter(row => !common.includes(row)),
  }))
  const without = own.filter(({ rows }) => rows.length === 0).map(({ name }) => `\`${name}\``)
  return [
    `## Every function\n\n${tableOf(common)}`,
    ...(without.length > 0 ? [`No other has ${without.join(', ')}.`] : []),
    ...own
      .filter(({ rows }) => rows.length > 0)
      .map(({ name, rows }) => `## Function ${name}\n\n${tableOf(rows)}`),
  ].join('\n\n')
}

/** The reference of all settings, generated from their schemas. */
export const settingsPage = (
  functions: readonly FunctionDefinition[],
  webhooks: readonly WebhookDefinition[],
): string => `# Settings

Made from the schemas by \`make docs\`. A flag beats the environment, the environment beats the default. A setting that is
unknown or wrong ends the process with code 2 and one line that names it. Functions read the environment only; what all of them
have stands once, under [every function](#every-function).

## The bridge

${table(bridgeSettings)}

## The webhooks

${table(webhookSettingsOf(webhooks))}

${functionsPart(functions)}
`
