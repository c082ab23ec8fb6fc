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
    ...(without.length > 0 ? [`No others: ${without.join(', ')}.`] : []),
    ...[
      ...Map.groupBy(
        own.filter(({ rows }) => rows.length > 0),
        ({ rows }) => tableOf(rows),
      ),
    ].map(([text, same]) => `## Function ${same.map(({ name }) => name).join(', ')}\n\n${text}`),
  ].join('\n\n')
}

/** The reference of all settings, generated from their schemas. */
export const settingsPage = (
  functions: readonly FunctionDefinition[],
  webhooks: readonly WebhookDefinition[],
): string => `# Settings

For operators: every setting of each process, generated from the schemas by \`make docs\`. A flag overrides the environment, the environment overrides the default.
Functions read only the environment; the [settings of every function](#every-function) are listed once. An unknown or invalid setting ends the process with exit code 2 and one line that names it.

## The bridge

${table(bridgeSettings)}

## The webhooks

${table(webhookSettingsOf(webhooks))}

${functionsPart(functions)}
`
